import type { Steps } from '../../base/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { Demand } from '../classes/demand.ts';
import type { PodClass } from '../classes/pod-class.ts';
import type { Rung } from '../classes/rung.ts';
import { placingAmong } from './place-with-topology.ts';
import type { Surroundings } from './place-with-topology.ts';
import { openDraft } from '../places/drafts/draft.ts';
import type { Applicant, Draft } from '../places/drafts/draft.ts';
import type { ExistingNodes } from '../places/existing/existing-nodes.ts';
import type { NodeRows } from '../places/existing/node-search.ts';
import type { NodeState } from '../places/node-state.ts';
import type { NodeTemplate } from '../places/node-template.ts';
import { OpenDrafts } from '../places/drafts/open-drafts.ts';
import type { PoolBudget } from '../places/limits/limit-ledger.ts';
import type { Topology } from '../topology/topology.ts';

/** Where pods can go, compiled once per snapshot. */
export interface Places {
  readonly existing: ExistingNodes;
  /** In the order in which they are tried. */
  readonly templates: readonly NodeTemplate[];
  /** Reservation → how many machines may still be planned into it. */
  readonly reservations: ReadonlyMap<string, number>;
  /** Where the pods are that topology constraints speak about; absent where there are no such constraints. */
  readonly among: { readonly topology: Topology; readonly rows: NodeRows } | undefined;
}

/** One question to the places. */
export interface Question {
  readonly demands: readonly Demand[];
  /** Nodes that count as gone. */
  readonly gone: readonly NodeView[];
  /** Names of nodes that stay, and take no pods. */
  readonly closed: Iterable<string>;
  /** The pods of such a node that are among the demands. */
  readonly movingFrom: (node: NodeView) => readonly Pod[];
  readonly shouldStop: () => boolean;
}

/** What is left of a demand: the last `count` of its pods. */
export interface Leftover {
  readonly demand: Demand;
  readonly count: number;
  readonly wasStopped: boolean;
}

/** The first-fit answer. What went on existing nodes stands in the log of `existing`. */
export interface Solution {
  readonly drafts: readonly Draft[];
  readonly leftovers: readonly Leftover[];
  /** Template → what its limits still allow. */
  readonly budgets: ReadonlyMap<NodeTemplate, PoolBudget>;
  /** Whether some came before their turn. Others may have a place only because these came first: who cares about others stays where it is. */
  readonly isOutOfOrder?: boolean;
}

interface Floor {
  readonly existing: ExistingNodes;
  readonly open: OpenDrafts;
  readonly budgets: ReadonlyMap<NodeTemplate, PoolBudget>;
  /** The same for pods with topology; absent where there are none. */
  readonly around: Surroundings | undefined;
}

/** A node from the first template that can make one, within the limits of its pool. */
const openNode = (
  budgets: Floor['budgets'],
  make: (initial: NodeState, allowance: Draft['allowance']) => Draft | undefined,
): Draft | undefined => {
  for (const [template, budget] of budgets) {
    const draft = template.initial && make(template.initial, budget.allowance());
    if (draft === undefined || !budget.charge(draft.fit)) continue;
    if (budget.isLimited) draft.mayTurn = budget.charge;
    return draft;
  }
  return undefined;
};

/** How many pods are put on planned nodes without a pause: about a millisecond. */
const PODS_A_STEP = 2048;

/** The same for new nodes, each of which takes up to a few hundred pods. */
const DRAFTS_A_STEP = 16;

/** As many as the planned nodes take. What one of them refused it refuses again, so that asking in portions changes nothing. */
function* placingOnOpen(applicant: Applicant, wanted: number, open: OpenDrafts): Steps<number> {
  for (let placed = 0; ;) {
    const portion = Math.min(PODS_A_STEP, wanted - placed);
    const taken = portion === 0 ? 0 : open.place(applicant, portion);
    placed += taken;
    if (taken < portion || placed === wanted) return placed;
    yield;
  }
}

/** Existing nodes, then planned ones, then new ones. All of them only fill up, so each is asked once per class and rung. */
function* placingByRung(applicant: Applicant, wanted: number, floor: Floor): Steps<number> {
  const { existing, open } = floor;
  let placed = existing.place(applicant, wanted);
  placed += yield* placingOnOpen(applicant, wanted - placed, open);
  for (let opened = 1; placed < wanted; opened++) {
    const draft = openNode(floor.budgets, (initial, allowance) => openDraft(initial, applicant, allowance));
    if (draft === undefined) return placed;
    open.push(draft);
    placed++;
    if (placed < wanted) placed += open.placeOnNewest(applicant, wanted - placed);
    if (opened % DRAFTS_A_STEP === 0) yield;
  }
  return placed;
}

/** Some members of a class that want a place. */
interface Crowd {
  readonly podClass: PodClass;
  readonly rungs: readonly Rung[];
  readonly wanted: number;
}

const crowdOf = ({ podClass, rungs = podClass.rungs }: Demand, wanted: number): Crowd => ({ podClass, rungs, wanted });

/** Rung by rung, and on each with all wishes first; again while that places some: a pod that has come may open a domain for the next. */
function* placingWithTopology({ podClass, rungs, wanted }: Crowd, floor: Floor): Steps<number> {
  const { topology: gives } = podClass;
  const { around } = floor;
  if (gives === undefined || around === undefined) return 0;
  let placed = 0;
  for (let before = -1; before < placed && placed < wanted;) {
    before = placed;
    for (const rung of rungs) {
      for (const checks of gives.ways) {
        if (placed < wanted) placed += yield* placingAmong({ applicant: { podClass, rung }, checks, gives }, wanted - placed, around);
      }
      yield;
    }
  }
  return placed;
}

function* placing(crowd: Crowd, floor: Floor): Steps<number> {
  const { podClass, rungs, wanted } = crowd;
  if (podClass.unknownResource !== undefined || podClass.problem !== undefined) return 0;
  if (podClass.topology !== undefined) return yield* placingWithTopology(crowd, floor);
  let placed = 0;
  for (const rung of rungs) {
    if (placed === wanted) break;
    placed += yield* placingByRung({ podClass, rung }, wanted - placed, floor);
    yield;
  }
  return placed;
}

/** Pods that wait for others to come, tried again as long as that places some. */
function* retrying(leftovers: readonly Leftover[], floor: Floor, shouldStop: () => boolean): Steps<readonly Leftover[]> {
  let waiting = leftovers;
  for (let progress = true; progress && !shouldStop();) {
    progress = false;
    const still: Leftover[] = [];
    for (const leftover of waiting) {
      const { demand, count, wasStopped } = leftover;
      const isStuck = wasStopped || demand.podClass.topology === undefined;
      const placed = isStuck ? 0 : yield* placing(crowdOf(demand, count), floor);
      progress ||= placed > 0;
      if (placed < count) still.push({ ...leftover, count: count - placed });
    }
    waiting = still;
  }
  return waiting;
}

/** First-fit: the largest class first, each pod where it is content with least new. The budgets are charged with what is planned. */
export function* solving(
  { existing, templates, among }: Places,
  { demands, shouldStop }: Question,
  budgets: Solution['budgets'],
): Steps<Solution> {
  const open = new OpenDrafts(templates[0]?.columns.length ?? 0, among?.topology.domains);
  const around = among && { ...among, existing, open, openNode: openNode.bind(undefined, budgets) };
  const floor: Floor = { existing, open, budgets, around };
  const leftovers: Leftover[] = [];
  let wasStopped = false;
  for (const demand of demands) {
    wasStopped ||= shouldStop();
    const placed = wasStopped ? 0 : yield* placing(crowdOf(demand, demand.pods.length), floor);
    if (placed < demand.pods.length) leftovers.push({ demand, count: demand.pods.length - placed, wasStopped });
  }
  const left = among === undefined ? leftovers : yield* retrying(leftovers, floor, shouldStop);
  return { drafts: open.drafts, leftovers: left, budgets };
}
