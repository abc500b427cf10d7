import { isFailure } from '@karpenter/runtime';
import type { ReconcileContext } from '@karpenter/runtime';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import type { Clock, DecisionReporter } from '../../ports/index.ts';
import { findCulprits } from './find-culprits.ts';
import type { Attempt, Findings } from './find-culprits.ts';
import { Quarantine } from './quarantine.ts';
import { suspectsOf, withoutObjects } from './suspects.ts';
import type { Suspect } from './suspects.ts';

/** The search for what triggers a bug takes no longer: the others are to be served in the same minute. */
const SEARCH_MS = 30_000;

const idsOf = (suspects: Iterable<Suspect>): ReadonlySet<string> =>
  new Set([...suspects].flatMap(({ objects }) => objects.map(({ id }) => id)));

/** Makes a decision from a snapshot. */
export type Deciding<T> = (snapshot: ClusterSnapshot) => Promise<T>;

/**
 * Makes decisions about the whole cluster when an object of it triggers a bug: it finds that object by bisection,
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
