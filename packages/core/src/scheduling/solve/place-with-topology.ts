import type { Steps } from '../../base/index.ts';
import { firstRefusal, mayBeFirst } from '../topology/checks.ts';
import type { Topology } from '../topology/topology.ts';
import { openInState } from '../places/drafts/draft.ts';
import type { Draft } from '../places/drafts/draft.ts';
import { DraftSearch } from '../places/drafts/draft-search.ts';
import type { ExistingNodes } from '../places/existing/existing-nodes.ts';
import { nextState } from '../places/node-state.ts';
import { NodeSearch } from '../places/existing/node-search.ts';
import type { NodeCells, Seeker, TopologyApplicant } from '../places/existing/node-search.ts';
import type { OpenDrafts } from '../places/drafts/open-drafts.ts';
import { settledStates } from '../places/settled-states.ts';
import type { NodeState } from '../places/node-model.ts';

/** What pods with topology constraints are placed on: see `WorkingSet` in `solve.ts`. */
export interface TopologyWorkingSet {
  readonly topology: Topology;
  readonly cells: NodeCells;
  readonly existing: ExistingNodes;
  readonly open: OpenDrafts;
  /** The first template whose initial state leads to a draft. */
  readonly openNode: (make: (initial: NodeState, allowedTypes: Draft['allowedTypes']) => Draft | undefined) => Draft | undefined;
}

const searches = (
  { topology, cells, existing, open }: TopologyWorkingSet,
  seeker: Seeker,
): { nodes: NodeSearch; drafts: DraftSearch | undefined } => ({
  nodes: new NodeSearch(existing, cells, { seeker, topology }),
  drafts: open.index && new DraftSearch(open, open.index, { seeker, topology }),
});

/** Opens a new node for one pod: in the emptiest domain that the checks allow, then where it is cheapest. False when there is none. */
const openOne = ({ applicant, checks, classTopology }: TopologyApplicant, { topology, open, openNode }: TopologyWorkingSet): boolean => {
  const host = topology.hostOfDraft(open.drafts.length);
  if (firstRefusal(checks.host, () => host) !== undefined) return false;
  let settled: NodeState | undefined;
  const draft = openNode((initial, allowedTypes) => {
    const next = nextState(initial, applicant.rung);
    for (const state of next === undefined ? [] : settledStates(next, checks, topology.domains)) {
      const made = openInState(state, applicant, allowedTypes);
      if (made === undefined) continue;
      settled = state;
      return made;
    }
    return undefined;
  });
  if (draft === undefined || settled === undefined) return false;
  open.push(draft);
  topology.placeOnDraft(classTopology, open.drafts.length - 1, settled);
  return true;
};

/** Pods that must share a host: the first of them goes where there is room for all. */
const startTogether = (applicant: TopologyApplicant, wanted: number, set: TopologyWorkingSet): boolean => {
  if (!applicant.checks.host.affinity.some(mayBeFirst)) return false;
  const { nodes, drafts } = searches(set, { ...applicant, podsAtOnce: wanted });
  return nodes.placeOne() || (drafts?.placeOne() ?? false) || openOne(applicant, set);
};

/** How many pods are placed without a pause. */
const PODS_A_STEP = 256;

/**
 * Places up to `wanted` pods of a class with topology constraints one by one, because each may change what the next is allowed: on existing
 * nodes, then planned ones, then new ones. Returns how many it placed.
 */
export function* placingOneByOne(applicant: TopologyApplicant, wanted: number, set: TopologyWorkingSet): Steps<number> {
  let placed = wanted > 1 && startTogether(applicant, wanted, set) ? 1 : 0;
  const { nodes, drafts } = searches(set, { ...applicant, podsAtOnce: 1 });
  while (placed < wanted) {
    if (!nodes.placeOne() && drafts?.placeOne() !== true) {
      if (!openOne(applicant, set)) return placed;
      drafts?.lookAgainAt(set.open.drafts.length - 1);
    }
    placed++;
    if (placed % PODS_A_STEP === 0) yield;
  }
  return placed;
}
