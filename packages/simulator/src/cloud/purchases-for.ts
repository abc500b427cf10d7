import type { NodeClaim } from '@karpenter/core';
import { labels } from '@karpenter/core';
import { amountsOf } from '../cluster/resources/amounts.ts';
import { satisfies } from '../cluster/selectors/node-selector.ts';
import type { OfferingName } from './cloud-faults.ts';
import type { SimulatedInstanceType } from './simulated-instance-type.ts';
import { CAPACITY_TYPES, labelsOf, pricePerHourOf, sizeOf } from './simulated-instance-type.ts';

/** One way to buy a machine for a claim. */
export interface Purchase extends OfferingName {
  readonly type: SimulatedInstanceType;
  readonly pricePerHour: number;
}

const everyPurchase = (types: readonly SimulatedInstanceType[]): readonly Purchase[] =>
  types.flatMap((type) =>
    type.zones.flatMap((zone) =>
      CAPACITY_TYPES.map((capacityType) => ({
        ...{ type, instanceType: type.name, zone, capacityType },
        pricePerHour: pricePerHourOf(type, capacityType),
      })),
    ),
  );

const fits = (type: SimulatedInstanceType, claim: NodeClaim): boolean => {
  const allocatable = amountsOf(sizeOf(type).allocatable);
  return Object.entries(amountsOf(claim.spec.resources?.requests)).every(([name, amount]) => amount <= (allocatable[name] ?? 0));
};

/** Requirements about labels that a machine does not decide (the NodePool's own) hold for every machine. */
const isAdmitted = ({ type, zone, capacityType }: Purchase, claim: NodeClaim): boolean => {
  const known = { ...labelsOf(type), [labels.zone]: zone, [labels.capacityType]: capacityType };
  return claim.spec.requirements.every((requirement) => !(requirement.key in known) || satisfies(requirement, known));
};

const cheapestFirst = (a: Purchase, b: Purchase): number =>
  a.pricePerHour - b.pricePerHour || a.instanceType.localeCompare(b.instanceType) || a.zone.localeCompare(b.zone);

/** Everything that would do for a claim, the cheapest first. */
export const purchasesFor = (claim: NodeClaim, types: readonly SimulatedInstanceType[]): readonly Purchase[] =>
  everyPurchase(types.filter((type) => fits(type, claim)))
    .filter((purchase) => isAdmitted(purchase, claim))
    .sort(cheapestFirst);
