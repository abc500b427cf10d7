import { highestOf, lowestOf } from '../../base/index.ts';
import type { Candidate } from '../candidates/candidate.ts';
import { consolidationBlocker } from '../blockers/method-blocker.ts';
import { budgetLedger } from '../budgets/budget-ledger.ts';
import type { Hold, Stillness } from '../disruption-context.ts';
import type { Pass } from './pass.ts';
import type { DisruptionCandidate } from './survey.ts';

/** Sorts candidates into the order in which they are evaluated. */
type Arrange<C> = (candidates: readonly C[]) => readonly C[];

/**
 * A round through all candidates, which may take several passes. First those that it has not reached yet, then the
 * others, which begin the next round. `before`: names of those reached in earlier passes.
 */
export class Round<C extends Candidate> {
  readonly order: readonly C[];
  readonly #again: ReadonlySet<C>;
  #evaluated: Set<string>;
  #asked = 0;

  constructor(candidates: readonly C[], before: ReadonlySet<string>, arrange: Arrange<C>) {
    const again = arrange(candidates.filter(({ node }) => before.has(node.name)));
    this.order = [...arrange(candidates.filter(({ node }) => !before.has(node.name))), ...again];
    this.#again = new Set(again);
    this.#evaluated = new Set(before);
  }

  /** Call it when the candidate is evaluated. */
  add(candidate: C): void {
    if (this.#again.has(candidate) && this.#evaluated.has(candidate.node.name)) this.#evaluated = new Set();
    this.#evaluated.add(candidate.node.name);
    this.#asked += 1;
  }

  /** How many this pass has evaluated. */
  get asked(): number {
    return this.#asked;
  }

  /** Names of those that the round has reached. */
  get evaluated(): ReadonlySet<string> {
    return this.#evaluated;
  }
}

/** After so long a cluster is searched again although nothing has changed. Source: the original's consolidation memo. */
const SEARCHED_AGAIN_MS = 300_000;

const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype;

const membersOf = (value: object): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value as readonly unknown[];
  if (value instanceof Map) return [...(value as ReadonlyMap<unknown, unknown>)].flat();
  return isPlain(value) ? Object.entries(value).flat() : undefined;
};

/**
 * Whether two values of snapshots say the same, in the same order. Nearly all that did not change is one object in both,
 * and is not walked. Instances of classes count as changed.
 */
const isUnchanged = (before: unknown, now: unknown): boolean => {
  if (Object.is(before, now)) return true;
  if (typeof before !== 'object' || typeof now !== 'object' || before === null || now === null) return false;
  const [old, fresh] = [membersOf(before), membersOf(now)];
  return old !== undefined && old.length === fresh?.length && old.every((member, at) => isUnchanged(member, fresh[at]));
};

/** What consolidation is about to search. */
const searchedIn = ({ context }: Pass, consolidatable: readonly DisruptionCandidate[]): string => {
  const ledger = budgetLedger(context, 'Underutilized');
  return consolidatable.map(({ node, nodePool: { nodePool } }) => `${node.name} ${ledger.left(nodePool.metadata.name)}`).join();
};

/** The last searches, if another one would search the same. */
export const stillnessIn = (pass: Pass, consolidatable: readonly DisruptionCandidate[]): Stillness | undefined => {
  const { still, nowMs, snapshot } = pass.context;
  if (still === undefined || nowMs - still.atMs >= SEARCHED_AGAIN_MS) return undefined;
  return still.searched === searchedIn(pass, consolidatable) && isUnchanged(still.snapshot, snapshot) ? still : undefined;
};

/**
 * The searches with the one that this pass has made; undefined when time cut it short. `before`: the searches that it
 * goes on from.
 */
export const stillnessAfter = (pass: Pass, found: readonly DisruptionCandidate[], before: Stillness | undefined): Stillness | undefined => {
  const blockers = found.flatMap(({ node: { name } }) => {
    const blocker = pass.blocked.get(name);
    return blocker === undefined ? [] : [[name, blocker] as const];
  });
  if (blockers.some(([, { kind }]) => kind === 'stopped')) return undefined;
  return {
    snapshot: pass.context.snapshot,
    searched: before?.searched ?? searchedIn(pass, found),
    atMs: pass.context.nowMs,
    passes: (before?.passes ?? 0) + 1,
    blocked: new Map(blockers),
  };
};

/** Says of each node again why it stays. */
export const repeatBlockers = (pass: Pass, { blocked }: Stillness): void => {
  for (const [name, blocker] of blocked) pass.note(name, blocker);
};

/** Nodes whose pods settle later than this are not waited for. */
const SOON_MS = 30_000;
/** How long consolidation waits at most: pods come and go without end in some clusters. */
const MOST_HELD_MS = 60_000;

/** When a pass can evaluate nodes that nothing but their own pods keep from being taken; epoch ms, in no order. */
const settlingMoments = ({ candidates }: Pass): readonly number[] =>
  candidates.filter((each) => consolidationBlocker(each)?.kind === 'consolidate-after').map(({ settledFromMs }) => settledFromMs);

/** When the next pass finds a node more whose pods have settled; Infinity: none is awaited. */
export const nextSettledMs = (pass: Pass): number => lowestOf(settlingMoments(pass));

/**
 * Whether consolidation waits for nodes whose pods settle next; undefined where it need not. After a change of a
 * Deployment the pods of its nodes settle within seconds of each other. The first of these nodes alone find no room on
 * the others, and whatever moves now moves again with them.
 */
export const holdIn = (pass: Pass): Hold | undefined => {
  const { nowMs, hold, mayHold = false } = pass.context;
  const sinceMs = hold?.sinceMs ?? nowMs;
  const latestMs = sinceMs + MOST_HELD_MS;
  const soonMs = mayHold ? settlingMoments(pass).filter((ms) => ms <= nowMs + SOON_MS) : [];
  if (latestMs <= nowMs || soonMs.length === 0) return undefined;
  return { sinceMs, untilMs: Math.min(latestMs, highestOf(soonMs)) };
};
