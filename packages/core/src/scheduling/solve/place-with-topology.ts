import type { Steps } from '../../base/index.ts';
import { nodeCost, priceOf } from '../packing/unit-prices.ts';
import { firstRefusal, mayBeFirst } from '../topology/group.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { Topology } from '../topology/topology.ts';
import { openInState } from '../places/drafts/draft.ts';
import type { Applicant, Draft } from '../places/drafts/draft.ts';
import { DraftSearch } from '../places/drafts/draft-search.ts';
import type { ExistingNodes } from '../places/existing/existing-nodes.ts';
import { nextState } from '../places/node-state.ts';
import { NodeSearch } from '../places/existing/node-search.ts';
import type { NodeCells, Seeker, TopologyApplicant } from '../places/existing/node-search.ts';
import type { OpenDrafts } from '../places/drafts/open-drafts.ts';
import type { LimitLedger } from '../places/limits/limit-ledger.ts';
import type { RelaxedTally } from './relaxed-tally.ts';
import { rankedStates } from '../places/settled-states.ts';
import type { NodeState, NodeTemplate } from '../places/node-model.ts';

/** What pods with topology constraints are placed on: see `WorkingSet` in `solve.ts`. */
export interface TopologyWorkingSet {
  readonly topology: Topology;
  readonly cells: NodeCells;
  readonly existing: ExistingNodes;
  readonly open: OpenDrafts;
  readonly templates: readonly NodeTemplate[];
  /** What a preference of weight 100 may cost, in dollars an hour. Absent: any price. */
  readonly preferencePricePerHour: number | undefined;
  readonly relaxed: RelaxedTally;
  readonly isFrugal: boolean;
  /** A node from the first template whose initial state leads to a draft. */
  readonly findNode: (make: (initial: NodeState, allowedTypes: Draft['allowedTypes']) => Draft | undefined) => NewNode | undefined;
}

/** A node that could be planned, and the limits that it would be charged to. */
export interface NewNode {
  readonly draft: Draft;
  readonly ledger: LimitLedger;
}

/** Charges the node to the limits of its pool. */
export const chargeNode = ({ draft, ledger }: NewNode): Draft => {
  ledger.charge(draft.fit);
  if (ledger.isLimited) draft.limits = ledger;
  return draft;
};

const searches = (
  { topology, cells, existing, open }: TopologyWorkingSet,
  seeker: Seeker,
): { nodes: NodeSearch; drafts: DraftSearch | undefined } => ({
  nodes: new NodeSearch(existing, cells, { seeker, topology }),
  drafts: open.index && new DraftSearch(open, open.index, { seeker, topology }),
});

/** The draft that costs least; of equals the first. */
const cheapestOf = (drafts: readonly Draft[]): Draft | undefined => {
  let best: Draft | undefined;
  for (const draft of drafts) if (best === undefined || priceOf(draft.fit) < priceOf(best.fit)) best = draft;
  return best;
};

/** Takes as much of a node as so many pods of the applicant together; volumes that they share count for each. */
const asOnePod = (applicant: Applicant, count: number): Applicant => {
  const { podClass } = applicant;
  return count === 1 ? applicant : { ...applicant, podClass: { ...podClass, amounts: podClass.amounts.map((amount) => amount * count) } };
};

/**
 * A new node for one pod, with room for `podsAtOnce` of them: in the emptiest domain that the checks allow, then where
 * that room is cheapest. Undefined when there is none.
 */
export const findNewNode = (
  { applicant, checks }: TopologyApplicant,
  { topology, open, findNode }: TopologyWorkingSet,
  podsAtOnce = 1,
): NewNode | undefined => {
  const host = topology.hostOfDraft(open.drafts.length);
  if (firstRefusal(checks.host, () => host) !== undefined) return undefined;
  const together = asOnePod(applicant, podsAtOnce);
  return findNode((initial, allowedTypes) => {
    const next = nextState(initial, applicant.rung);
    for (const states of next === undefined ? [] : rankedStates(next, checks, topology.domains)) {
      const made = cheapestOf(states.flatMap((state) => openInState(state, together, allowedTypes) ?? []));
      if (made !== undefined) return together === applicant ? made : openInState(made.fit.state, applicant, allowedTypes);
    }
    return undefined;
  });
};

/** Plans the node with its first pod. */
export const openNewNode = (found: NewNode, classTopology: ClassTopology, { topology, open }: TopologyWorkingSet): void => {
  open.push(chargeNode(found));
  topology.placeOnDraft(classTopology, open.drafts.length - 1, found.draft.fit.state);
};

/** From now on no planned node costs more with a pod than the new node would; any price where there is none. */
export const limitGrowth = ({ open }: TopologyWorkingSet, made: NewNode | undefined): void => {
  open.mostGrowth = made === undefined ? Number.POSITIVE_INFINITY : nodeCost(made.draft.fit);
};

/** Opens a new node for one pod, with room for so many. False when there is none. */
const openOne = (applicant: TopologyApplicant, set: TopologyWorkingSet, podsAtOnce = 1): boolean => {
  const found = findNewNode(applicant, set, podsAtOnce);
  if (found === undefined) return false;
  openNewNode(found, applicant.classTopology, set);
  return true;
};

/** Pods that must share a host: the first of them goes where there is room for all. */
const startTogether = (applicant: TopologyApplicant, wanted: number, set: TopologyWorkingSet): boolean => {
  if (!applicant.checks.host.affinity.some(mayBeFirst)) return false;
  const { nodes, drafts } = searches(set, { ...applicant, podsAtOnce: wanted });
  return nodes.placeOne() || (drafts?.placeOne() ?? false) || openOne(applicant, set, wanted) || openOne(applicant, set);
};

/** Puts one pod on a planned node; frugally only where that costs no more than a new node. */
const joinOne = (drafts: DraftSearch | undefined, applicant: TopologyApplicant, set: TopologyWorkingSet): boolean => {
  if (drafts === undefined) return false;
  if (!set.isFrugal) return drafts.placeOne();
  limitGrowth(set, findNewNode(applicant, set));
  const hasJoined = drafts.placeOne();
  limitGrowth(set, undefined);
  return hasJoined;
};

/** How many pods are placed without a pause. */
const PODS_A_STEP = 256;

/**
 * Places up to `wanted` pods of a class with topology constraints one by one, because each may change what the next is
 * allowed: on existing nodes, then planned ones, then new ones. Returns how many it placed.
 */
export function* placingOneByOne(applicant: TopologyApplicant, wanted: number, set: TopologyWorkingSet): Steps<number> {
  let placed = wanted > 1 && startTogether(applicant, wanted, set) ? 1 : 0;
  const { nodes, drafts } = searches(set, { ...applicant, podsAtOnce: 1 });
  while (placed < wanted) {
    if (!nodes.placeOne() && !joinOne(drafts, applicant, set)) {
      if (!openOne(applicant, set)) return placed;
      drafts?.lookAgainAt(set.open.drafts.length - 1);
    }
    placed++;
    if (placed % PODS_A_STEP === 0) yield;
  }
  return placed;
}
