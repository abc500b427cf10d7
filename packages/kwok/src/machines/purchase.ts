import {
  allocatableOf,
  compatibleOfferings,
  firstConflict,
  fits,
  type InstanceType,
  type LabelCatalog,
  type NodeClaim,
  type Offering,
  requirementsOf,
  resourcesOf,
} from '@karpenter/core';

/** What is bought for a claim. */
export interface MachinePurchase {
  readonly type: InstanceType;
  readonly offering: Offering;
}

/** Everything on sale that has room for the claim, cheapest first; ties by name and zone. */
export const purchasesFor = (
  { spec }: NodeClaim,
  types: readonly InstanceType[],
  labelCatalog: LabelCatalog,
): readonly MachinePurchase[] => {
  const requirements = requirementsOf(spec.requirements, labelCatalog);
  const requests = resourcesOf(spec.resources?.requests);
  return types
    .filter((type) => fits(requests, allocatableOf(type)) && firstConflict(type.requirements, requirements) === undefined)
    .flatMap((type) => {
      const [offering] = compatibleOfferings(type, { requirements, labelCatalog });
      return offering === undefined ? [] : [{ type, offering }];
    })
    .sort((a, b) => a.offering.pricePerHour - b.offering.pricePerHour || (a.type.name < b.type.name ? -1 : 1));
};
