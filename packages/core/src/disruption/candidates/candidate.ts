import { compareText, decimalIn, INT32 } from '../../base/index.ts';
import type { NodePoolView, NodeView } from '../../cluster/index.ts';
import { DELETION_COST } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import { labels } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { PlannedNode, SchedulingPolicy } from '../../scheduling/index.ts';

/** A node that may be disrupted, its price, and the cost of disrupting it. */
export interface Candidate {
  readonly node: NodeView;
  readonly nodePool: NodePoolView;
  /** Pods that will need a new place. */
  readonly reschedulablePods: readonly Pod[];
  /** The price of the node's offering, and what a node costs beside its machine; 0 when the offering is not known. */
  readonly pricePerHour: number;
  /** 1 for the node plus the `evictionCost` of each reschedulable pod, negative ones counting as 0. */
  readonly disruptionCost: number;
}

/** How many pods move when all these nodes go. */
export const countMoves = (candidates: readonly Candidate[]): number =>
  candidates.reduce((sum, { reschedulablePods }) => sum + reschedulablePods.length, 0);

const savingsRatio = ({ pricePerHour, disruptionCost }: Candidate): number => pricePerHour / disruptionCost;

/** The most savings per disruption cost first; ties by name. */
export const bySavings = (a: Candidate, b: Candidate): number => savingsRatio(b) - savingsRatio(a) || compareText(a.node.name, b.node.name);

/**
 * One candidate of each pool in turn, so that a large pool does not keep the others waiting; the pools in the order of
 * their best candidate.
 */
export const inTurn = <C extends Candidate>(candidates: readonly C[]): readonly C[] => {
  const queues = [...Map.groupBy(candidates, ({ nodePool }) => nodePool.nodePool.metadata.name).values()];
  const rounds = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => queues.flatMap((queue) => queue.slice(round, round + 1))).flat();
};

const deletionCostOf = (pod: Pod): number => decimalIn(pod.metadata.annotations?.[DELETION_COST] ?? '', INT32) ?? 0;

/**
 * How much it matters that a pod is moved: 1 for an ordinary one, from -10 to 10 by its deletion cost and priority.
 * Source: the original's `pkg/utils/disruption/disruption.go`, `EvictionCost`.
 */
export const evictionCost = (pod: Pod): number => {
  const cost = 1 + deletionCostOf(pod) / 2 ** 27 + (pod.spec.priority ?? 0) / 2 ** 25;
  return Math.max(-10, Math.min(10, cost));
};

/** What it costs to disrupt a node with these pods: 1 for the node, and each pod's cost where it is above zero. */
export const disruptionCost = (pods: readonly Pod[]): number => pods.reduce((sum, pod) => sum + Math.max(0, evictionCost(pod)), 1);

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
