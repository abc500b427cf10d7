import { isFailure } from '@karpenter/runtime';
import type { ReconcileContext } from '@karpenter/runtime';
import type { Clock, DecisionReporter } from '../../ports/index.ts';
import type { Suspect, SuspectObject } from './suspects.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { findCulprits } from './culprit-search.ts';
import type { Attempt, Findings } from './culprit-search.ts';
import { suspectsOf, withoutObjects } from './suspects.ts';

/** What triggered a bug is left out for so long, unless it changes before. */
const QUARANTINE_MS = 600_000;
/** Beyond these the oldest is let go: memory is bounded, and a bug that comes again is found again. */
const MOST_OBJECTS = 10_000;

interface Entry {
  readonly content: readonly unknown[];
  readonly untilMs: number;
}

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

const isUnchanged = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  before.length === now.length && before.every((each, index) => isSame(each, now[index]));

/** Objects that triggered a bug. Each is left out of decisions until it changes, or for ten minutes. */
class Quarantine {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Leaves the objects out from now on. Returns until when (epoch ms). */
  add(objects: readonly SuspectObject[]): number {
    const untilMs = this.#clock.now() + QUARANTINE_MS;
    for (const { id, content } of objects) this.#entries.set(id, { content, untilMs });
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= MOST_OBJECTS) break;
      this.#entries.delete(id);
    }
    return untilMs;
  }

  /** The ids of the objects that are left out now. Forgets those that changed, or were left out for long enough. */
  among(objects: Iterable<SuspectObject>): ReadonlySet<string> {
    const now = new Map<string, SuspectObject>();
    for (const object of objects) if (this.#entries.has(object.id)) now.set(object.id, object);
    for (const [id, { content, untilMs }] of this.#entries) {
      const object = now.get(id);
      if (this.#clock.now() >= untilMs || (object !== undefined && !isUnchanged(content, object.content))) this.#entries.delete(id);
    }
    return new Set([...now.keys()].filter((id) => this.#entries.has(id)));
  }
}

/** The search for what triggers a bug takes no longer: the others are to be served in the same minute. */
const SEARCH_MS = 30_000;

const idsOf = (suspects: Iterable<Suspect>): ReadonlySet<string> =>
  new Set([...suspects].flatMap(({ objects }) => objects.map(({ id }) => id)));

/** Makes a decision from a snapshot. */
type Deciding<T> = (snapshot: ClusterSnapshot) => Promise<T>;

/**
 * Decides about the whole cluster although one of its objects triggers a bug. It finds that object by bisection,
 * leaves it out, names it in an event, and decides about the rest.
 */
export class Isolation {
  readonly #clock: Clock;
  readonly #reporter: DecisionReporter;
  readonly #quarantine: Quarantine;

  constructor({ clock, reporter }: { readonly clock: Clock; readonly reporter: DecisionReporter }) {
    this.#clock = clock;
    this.#reporter = reporter;
    this.#quarantine = new Quarantine(clock);
  }

  /** The snapshot without what is in quarantine now. */
  without(snapshot: ClusterSnapshot): ClusterSnapshot {
    if (this.#quarantine.isEmpty) return snapshot;
    return withoutObjects(snapshot, this.#quarantine.among(suspectsOf(snapshot).flatMap(({ objects }) => objects)));
  }

  /**
   * Decides from the snapshot, less what is in quarantine or triggers a bug.
   * Errors: failures; a bug that stays without any object.
   */
  async decide<T>(given: ClusterSnapshot, deciding: Deciding<T>, { signal, foundBug }: ReconcileContext): Promise<T> {
    const snapshot = this.without(given);
    try {
      return await deciding(snapshot);
    } catch (error) {
      if (signal.aborted || isFailure(error)) throw error;
      const verdict = await this.#search(snapshot, deciding);
      if (verdict === undefined) throw error;
      foundBug?.(error);
      this.#leaveOut(verdict.culprits, error);
      return verdict.value;
    }
  }

  #search<T>(snapshot: ClusterSnapshot, deciding: Deciding<T>): Promise<Findings<T> | undefined> {
    const untilMs = this.#clock.now() + SEARCH_MS;
    const attempt = async (excluded: ReadonlySet<Suspect>): Promise<Attempt<T>> => {
      try {
        return { ok: true, value: await deciding(withoutObjects(snapshot, idsOf(excluded))) };
      } catch (error) {
        if (isFailure(error)) throw error;
        return { ok: false };
      }
    };
    return findCulprits(suspectsOf(snapshot), { attempt, mayContinue: () => this.#clock.now() < untilMs });
  }

  #leaveOut(culprits: readonly Suspect[], error: unknown): void {
    const objects = culprits.flatMap((culprit) => culprit.objects);
    if (objects.length === 0) return;
    const untilMs = this.#quarantine.add(objects);
    this.#reporter.report({ kind: 'quarantined', subjects: objects.map(({ subject }) => subject), error, untilMs });
  }
}
