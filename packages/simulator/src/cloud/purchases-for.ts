import type { InstanceType, NodeClaim } from '@karpenter/core';
import { allocatableOf, fits, labels, resourcesOf } from '@karpenter/core';
import { satisfies } from '../cluster/selectors/node-selector.ts';
import type { OfferingName } from './cloud-faults.ts';
import type { SimulatedInstanceType } from './simulated-instance-type.ts';
import { simulatedLabelsOf } from './simulated-instance-type.ts';

/** One way to buy a machine for a claim. */
export interface SimulatedPurchase extends OfferingName {
  readonly type: SimulatedInstanceType;
  readonly pricePerHour: number;
}

/** A type, and the same as it counts for the claim. */
export interface SoldType {
  readonly type: SimulatedInstanceType;
  readonly planned: InstanceType;
}

const everyPurchase = ({ type, planned }: SoldType): readonly SimulatedPurchase[] =>
  planned.offerings
    .filter(({ isAvailable }) => isAvailable)
    .map(({ zone, capacityType, pricePerHour }) => ({ type, instanceType: type.name, zone, capacityType, pricePerHour }));

/** Requirements about labels that a machine does not decide (the NodePool's own) hold for every machine. */
const isAdmitted = ({ type, zone, capacityType }: SimulatedPurchase, claim: NodeClaim): boolean => {
  const known = { ...simulatedLabelsOf(type), [labels.zone]: zone, [labels.capacityType]: capacityType };
  return claim.spec.requirements.every((requirement) => !(requirement.key in known) || satisfies(requirement, known));
};

const cheapestFirst = (a: SimulatedPurchase, b: SimulatedPurchase): number =>
  a.pricePerHour - b.pricePerHour || a.instanceType.localeCompare(b.instanceType) || a.zone.localeCompare(b.zone);

/** Everything in stock that would do for a claim, the cheapest first. */
export const simulatedPurchasesFor = (claim: NodeClaim, sold: readonly SoldType[]): readonly SimulatedPurchase[] =>
  sold
    .filter(({ planned }) => fits(resourcesOf(claim.spec.resources?.requests), allocatableOf(planned)))
    .flatMap(everyPurchase)
    .filter((purchase) => isAdmitted(purchase, claim))
    .sort(cheapestFirst);
