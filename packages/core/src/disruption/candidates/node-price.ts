import { labels } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import type { PlannedNode, SchedulingPolicy } from '../../scheduling/index.ts';

/**
 * What the machine of the node costs an hour, by the offering of its instance type, zone, capacity type and
 * reservation; undefined when no such offering is known.
 */
export const nodePrice = (node: NodeView, instanceTypes: readonly InstanceType[]): number | undefined => {
  const type = instanceTypes.find(({ name }) => name === node.labels[labels.instanceType]);
  const offering = type?.offerings.find(
    ({ zone, capacityType, reservation }) =>
      zone === node.labels[labels.zone] &&
      capacityType === node.labels[labels.capacityType] &&
      (reservation === undefined || Object.values(node.labels).includes(reservation.id)),
  );
  const price = offering?.pricePerHour;
  return price === undefined || Number.isNaN(price) ? undefined : price;
};

/** What planned nodes cost an hour together: each its cheapest offering, and what a node costs beside its machine. */
export const plannedPrice = (planned: readonly PlannedNode[], { nodePricePerHour = 0 }: SchedulingPolicy): number =>
  planned.reduce((sum, { cheapest }) => sum + cheapest.offering.pricePerHour + nodePricePerHour, 0);
