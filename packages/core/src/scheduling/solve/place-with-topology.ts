import type { Steps } from '../../base/index.ts';
import { firstRefusal, mayStart } from '../topology/checks.ts';
import type { Checks } from '../topology/checks.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { Topology } from '../topology/topology.ts';
import { openInState } from '../places/drafts/draft.ts';
import type { Applicant, Draft } from '../places/drafts/draft.ts';
import { DraftSearch } from '../places/drafts/draft-search.ts';
import type { ExistingNodes } from '../places/existing/existing-nodes.ts';
import { nextState } from '../places/node-state.ts';
import type { NodeState } from '../places/node-state.ts';
import { NodeSearch } from '../places/existing/node-search.ts';
import type { NodeRows, Seeker } from '../places/existing/node-search.ts';
import type { OpenDrafts } from '../places/drafts/open-drafts.ts';
import { settledStates } from '../places/settled-states.ts';

/** Where pods with topology can go, and how a new node is had. */
export interface Surroundings {
  readonly topology: Topology;
  readonly rows: NodeRows;
  readonly existing: ExistingNodes;
  readonly open: OpenDrafts;
  /** The first template whose initial state leads to a draft. */
  readonly openNode: (make: (initial: NodeState, allowance: Draft['allowance']) => Draft | undefined) => Draft | undefined;
}

/** One class, by one rung and with some of its wishes. */
interface Party {
  readonly applicant: Applicant;
  readonly checks: Checks;
  readonly gives: ClassTopology;
}

const searches = (
  { topology, rows, existing, open }: Surroundings,
  seeker: Seeker,
): { nodes: NodeSearch; drafts: DraftSearch | undefined } => ({
  nodes: new NodeSearch(existing, rows, { seeker, topology }),
  drafts: open.index && new DraftSearch(open, open.index, { seeker, topology }),
});

/** A new node for the first pod; in the emptiest of the domains that the checks allow, else where it is cheapest. */
const openOne = ({ applicant, checks, gives }: Party, { topology, open, openNode }: Surroundings): boolean => {
  const host = topology.hostOfDraft(open.drafts.length);
  if (firstRefusal(checks.host, () => host) !== undefined) return false;
  let settled: NodeState | undefined;
  const draft = openNode((initial, allowance) => {
    const next = nextState(initial, applicant.rung);
    for (const state of next === undefined ? [] : settledStates(next, checks, topology.domains)) {
      const made = openInState(state, applicant, allowance);
      if (made === undefined) continue;
      settled = state;
      return made;
    }
    return undefined;
  });
  if (draft === undefined || settled === undefined) return false;
  open.push(draft);
  topology.placeOnDraft(gives, open.drafts.length - 1, settled);
  return true;
};

/** Pods that must share a host do best to start on one that has room for all of them. */
const startTogether = (party: Party, wanted: number, around: Surroundings): boolean => {
  if (!party.checks.host.joins.some(mayStart)) return false;
  const { nodes, drafts } = searches(around, { ...party, seats: wanted });
  return nodes.placeOne() || (drafts?.placeOne() ?? false) || openOne(party, around);
};

/** How many pods are placed without a pause. */
const PODS_A_STEP = 256;

/**
 * Places up to `wanted` pods of a class that has to do with where others are, one by one: on existing nodes, then planned ones, then new
 * ones. Returns how many it placed.
 */
export function* placingAmong(party: Party, wanted: number, around: Surroundings): Steps<number> {
  let placed = wanted > 1 && startTogether(party, wanted, around) ? 1 : 0;
  const { nodes, drafts } = searches(around, { ...party, seats: 1 });
  while (placed < wanted) {
    if (!nodes.placeOne() && drafts?.placeOne() !== true) {
      if (!openOne(party, around)) return placed;
      drafts?.lookAgainAt(around.open.drafts.length - 1);
    }
    placed++;
    if (placed % PODS_A_STEP === 0) yield;
  }
  return placed;
}
