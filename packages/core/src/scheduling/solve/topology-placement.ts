import type { Steps } from '../../base/index.ts';
import { nodeCost } from '../packing/unit-prices.ts';
import { firstRefusal, mayBeFirst } from '../topology/group.ts';
import type { Checks } from '../topology/group.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { Topology } from '../topology/topology.ts';
import { openInState, useByFirst } from '../nodes/new-nodes/new-node.ts';
import type { IncomingPod, NewNode } from '../nodes/new-nodes/new-node.ts';
import { NewNodeSearch } from '../nodes/new-nodes/new-node-search.ts';
import type { ExistingNodes } from '../nodes/existing-nodes/existing-nodes.ts';
import { nextState } from '../nodes/node-state.ts';
import { NodeSearch } from '../nodes/existing-nodes/node-search.ts';
import type { NodeCells, PlaceRequest, IncomingTopologyPod } from '../nodes/existing-nodes/node-search.ts';
import type { NewNodes } from '../nodes/new-nodes/new-nodes.ts';
import type { LimitLedger } from '../nodes/limits/limit-ledger.ts';
import type { RelaxedTally } from './relaxed-tally.ts';
import { fitOf } from '../nodes/fit.ts';
import { bestState } from '../nodes/settled-states.ts';
import type { Fit, NodeState, NodeTemplate } from '../nodes/node-model.ts';

/** What pods with topology constraints are placed on: see `WorkingSet` in `solve.ts`. */
export interface TopologyWorkingSet {
  readonly topology: Topology;
  readonly cells: NodeCells;
  readonly existing: ExistingNodes;
  readonly open: NewNodes;
  readonly templates: readonly NodeTemplate[];
  /** What a preference of weight 100 may cost, in dollars an hour. Absent: any price. */
  readonly preferencePricePerHour: number | undefined;
  readonly relaxed: RelaxedTally;
  readonly isFrugal: boolean;
  readonly isTermByTerm: boolean;
  /** A node from the first template whose initial state leads to a new node. */
  readonly findNode: (
    make: (initial: NodeState, allowedTypes: NewNode['allowedTypes']) => NewNode | undefined,
  ) => UnchargedNode | undefined;
}

/** A node that could be planned, and the limits that it would be charged to. */
export interface UnchargedNode {
  readonly newNode: NewNode;
  readonly ledger: LimitLedger;
}

/** Charges the node to the limits of its pool. */
export const chargeNode = ({ newNode, ledger }: UnchargedNode): NewNode => {
  ledger.charge(newNode.fit);
  if (ledger.isLimited) newNode.limits = ledger;
  return newNode;
};

const searches = (
  { topology, cells, existing, open }: TopologyWorkingSet,
  placeRequest: PlaceRequest,
): { nodes: NodeSearch; newNodes: NewNodeSearch | undefined } => ({
  nodes: new NodeSearch(existing, cells, { placeRequest, topology }),
  newNodes: open.index && new NewNodeSearch(open, open.index, { placeRequest, topology }),
});

/** Takes as much of a node as so many pods of the incoming pod together; volumes that they share count for each. */
export const asOnePod = (incoming: IncomingPod, count: number): IncomingPod => {
  const { podClass } = incoming;
  return count === 1 ? incoming : { ...incoming, podClass: { ...podClass, amounts: podClass.amounts.map((amount) => amount * count) } };
};

/**
 * A new node for one pod, with room for `podsAtOnce` of them: in the emptiest domain that the checks allow, then where
 * that room is cheapest. Undefined when there is none.
 */
export const findNewNode = (
  { incoming, checks }: IncomingTopologyPod,
  { topology, open, findNode }: TopologyWorkingSet,
  podsAtOnce = 1,
): UnchargedNode | undefined => {
  const host = topology.hostOfNewNode(open.newNodes.length);
  if (firstRefusal(checks.host, () => host) !== undefined) return undefined;
  const together = asOnePod(incoming, podsAtOnce);
  return findNode((initial, allowedTypes) => {
    const next = nextState(initial, incoming.term);
    if (next === undefined) return undefined;
    const used = useByFirst(next, together.podClass);
    const fitIn = (state: NodeState): Fit | undefined => fitOf(state, used, allowedTypes);
    const state = bestState(next, { checks, domains: topology.domains }, () => ({ load: { used, allowedTypes }, fitIn }));
    return state && fitIn(state) && openInState(state, incoming, allowedTypes);
  });
};

/** Plans the node with its first pod. */
export const openUncharged = (found: UnchargedNode, classTopology: ClassTopology, { topology, open }: TopologyWorkingSet): void => {
  open.push(chargeNode(found));
  topology.placeOnNewNode(classTopology, open.newNodes.length - 1, found.newNode.fit.state);
};

/** From now on no open new node costs more with a pod than a further one would; any price where there is none. */
export const limitGrowth = ({ open }: TopologyWorkingSet, made: UnchargedNode | undefined): void => {
  open.mostGrowth = made === undefined ? Number.POSITIVE_INFINITY : nodeCost(made.newNode.fit);
};

/** Opens a new node for one pod, with room for so many. False when there is none. */
const openOne = (incoming: IncomingTopologyPod, set: TopologyWorkingSet, podsAtOnce = 1): boolean => {
  const found = findNewNode(incoming, set, podsAtOnce);
  if (found === undefined) return false;
  openUncharged(found, incoming.classTopology, set);
  return true;
};

/** Whether the pods must share a host, and none of them has one. */
export const mustStartTogether = ({ host }: Checks): boolean => host.affinity.some(mayBeFirst);

/**
 * Pods that must share a host. The first of them goes where there is room for all by one of the terms, else on a new
 * node. `byTerm`: one for each term.
 */
export const startTogether = (byTerm: readonly IncomingTopologyPod[], wanted: number, set: TopologyWorkingSet): boolean => {
  const hasRoomForAll = (incoming: IncomingTopologyPod): boolean => {
    const { nodes, newNodes } = searches(set, { ...incoming, podsAtOnce: wanted });
    return nodes.placeOne() || (newNodes?.placeOne() ?? false) || openOne(incoming, set, wanted);
  };
  return byTerm.some(hasRoomForAll) || byTerm.some((incoming) => openOne(incoming, set));
};

/** Puts one pod on an open new node; frugally only where that costs no more than a further one. */
const joinOne = (newNodes: NewNodeSearch | undefined, incoming: IncomingTopologyPod, set: TopologyWorkingSet): boolean => {
  if (newNodes === undefined) return false;
  if (!set.isFrugal) return newNodes.placeOne();
  limitGrowth(set, findNewNode(incoming, set));
  const hasJoined = newNodes.placeOne();
  limitGrowth(set, undefined);
  return hasJoined;
};

/** How many pods are placed without a pause. */
const PODS_A_STEP = 256;

/**
 * Places up to `wanted` pods of a class with topology constraints one by one, because each may change what the next
 * is allowed. Order: existing nodes, open new nodes, and a further new node if it `mayOpen` any. Returns how many it
 * placed.
 */
export function* placingOneByOne(
  incoming: IncomingTopologyPod,
  wanted: number,
  set: TopologyWorkingSet & { readonly mayOpen?: boolean },
): Steps<number> {
  let placed = 0;
  const { nodes, newNodes } = searches(set, { ...incoming, podsAtOnce: 1 });
  while (placed < wanted) {
    if (!nodes.placeOne() && !joinOne(newNodes, incoming, set)) {
      if (set.mayOpen === false || !openOne(incoming, set)) return placed;
      newNodes?.recheck(set.open.newNodes.length - 1);
    }
    placed++;
    if (placed % PODS_A_STEP === 0) yield;
  }
  return placed;
}
