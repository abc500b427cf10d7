import type { LabelCatalog } from '../apis/index.ts';
import { compatible } from '../requirements/index.ts';
import type { Requirements } from '../requirements/index.ts';
import { compareText } from '../base/index.ts';
import type { InstanceType } from './instance-type.ts';
import type { Offering } from './offering.ts';
import { zonalFirst } from './zonal-first.ts';

/** What a node is to be, and what its provider says about labels. */
export interface NodeRequirements {
  readonly requirements: Requirements;
  readonly labelCatalog: LabelCatalog;
}

/** Whether a node with these requirements may be bought by this offering; availability is not looked at. */
export const isCompatibleOffering = (offering: Offering, { requirements, labelCatalog }: NodeRequirements): boolean =>
  compatible(requirements, offering.requirements, { allowUndefined: labelCatalog.wellKnown }) === undefined;

/** The available compatible offerings of a type, cheapest first; ties zonal ones first, then by zone and capacity type. */
export const compatibleOfferings = (type: InstanceType, wanted: NodeRequirements): readonly Offering[] => {
  const byPlacement = zonalFirst(wanted.labelCatalog);
  return type.offerings
    .filter((offering) => offering.isAvailable && isCompatibleOffering(offering, wanted))
    .sort(
      (a, b) =>
        a.pricePerHour - b.pricePerHour || byPlacement(a, b) || compareText(a.zone, b.zone) || compareText(a.capacityType, b.capacityType),
    );
};

/** The cheapest available compatible offering; undefined when there is none. */
export const cheapestOffering = (type: InstanceType, wanted: NodeRequirements): Offering | undefined =>
  compatibleOfferings(type, wanted)[0];

/** The types that can be bought for the requirements, by their cheapest offering, then by name. */
export const orderByPrice = (types: readonly InstanceType[], wanted: NodeRequirements): readonly InstanceType[] =>
  types
    .map((type) => ({ type, price: cheapestOffering(type, wanted)?.pricePerHour }))
    .filter((entry): entry is { type: InstanceType; price: number } => entry.price !== undefined)
    .sort((a, b) => a.price - b.price || compareText(a.type.name, b.type.name))
    .map(({ type }) => type);

const launchOrder = ['reserved', 'spot', 'on-demand'];

/**
 * What a launch of the type may cost at worst: the dearest available compatible offering of the capacity type that
 * would be taken first (reserved, spot, on-demand); Infinity when it cannot be bought. Source: the original's
 * `Offerings.WorstLaunchPrice`.
 */
export const worstLaunchPrice = (type: InstanceType, wanted: NodeRequirements): number => {
  const offerings = compatibleOfferings(type, wanted);
  for (const capacityType of launchOrder) {
    const dearest = offerings.findLast((offering) => offering.capacityType === capacityType);
    if (dearest !== undefined) return dearest.pricePerHour;
  }
  return Number.POSITIVE_INFINITY;
};
