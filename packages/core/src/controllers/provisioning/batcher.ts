import type { Clock } from '../../ports/index.ts';
import { deleteNodeClaim } from '../../actions/index.ts';
import { incompleteGroups } from '../../scheduling/index.ts';
import type { Plan } from '../../scheduling/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import { commandRecordOf } from '../../state/index.ts';
import type { Shell } from '../shell.ts';

export interface BatcherOptions {
  readonly clock: Clock;
  /** The window closes when nothing new came for so long; on a quiet cluster sooner, where little came. */
  readonly idleMs: number;
  /** The window closes after so long in any case. */
  readonly maxMs: number;
}

/** Further reasons are dropped: a process that does not lead collects them for weeks. */
const MOST_REASONS = 100_000;

/**
 * How long a window on a quiet cluster waits for each reason in it: a lone pod is planned at once, and the pods of a
 * Deployment together.
 */
const QUIET_IDLE_MS = 75;

/** A sparse reminder comes again after so long. */
const REMIND_AGAIN_MS = 1000;

/** Pods that come within so long after others are followed by more, as deployments of one rollout are. */
const FOLLOWED_MS = 60_000;

/**
 * How pods came until a window closed. `steady`: it was open to its end, or opened within `maxMs` after other pods.
 * `recurring`: it opened within a minute after other pods. `quiet`: neither.
 */
export type Arrivals = 'quiet' | 'recurring' | 'steady';

/** Collects reasons to act, so that a burst of pods is planned together. */
export class Batcher {
  readonly #options: BatcherOptions;
  readonly #seen = new Set<string>();
  #openedAtMs: number | undefined;
  #lastNewAtMs = 0;
  /** Time of the last new reason; reminders do not count. */
  #lastReasonAtMs = Number.NEGATIVE_INFINITY;
  /** How long nothing had come when the window was opened. */
  #silenceMs = Number.POSITIVE_INFINITY;
  #arrivals: Arrivals = 'quiet';
  #hasLosses = false;
  #wake: (() => void) | undefined;
  /** After a sparse reminder. */
  #isResting = false;
  #isReminderDue = false;

  constructor(options: BatcherOptions) {
    this.#options = options;
  }

  /** Of the window that closed last. */
  get arrivals(): Arrivals {
    return this.#arrivals;
  }

  /** A reason to act. The same `id` twice in one window is one reason. */
  trigger(id: string): void {
    if (this.#add(id)) this.#lastReasonAtMs = this.#lastNewAtMs;
  }

  /** A pod lost its place to others while machines fill: kube-scheduler may yet find it another one there. */
  triggerByLoss(id: string): void {
    this.#hasLosses = true;
    this.trigger(id);
  }

  /** Time to check again: a reason to act that does not show that pods keep coming. */
  remind(): void {
    this.#add('reminder');
  }

  /**
   * The same where whoever may write some objects changes them as often as they like: at once, and what comes within
   * `REMIND_AGAIN_MS` together then.
   */
  remindSparsely(): void {
    this.#isReminderDue = this.#isResting;
    if (this.#isResting) return;
    this.#isResting = true;
    this.remind();
    this.#options.clock.setTimeout(() => {
      this.#isResting = false;
      if (this.#isReminderDue) this.remindSparsely();
    }, REMIND_AGAIN_MS);
  }

  /**
   * kube-scheduler binds pods to machines that fill. An open window waits as after a new reason where pods lost their
   * places there, or where pods keep coming and some are in its queue: those may need places too.
   */
  extend(hasQueuedPods: boolean): void {
    if (this.#openedAtMs === undefined) return;
    if (this.#hasLosses || (hasQueuedPods && !this.#isQuiet)) this.#lastNewAtMs = this.#options.clock.now();
  }

  /** Resolves when a window has closed, and begins the next. Waits for a first reason as long as it takes. */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.#openedAtMs === undefined) await this.#firstTrigger(signal);
    for (let leftMs = this.#leftMs(); leftMs > 0; leftMs = this.#leftMs()) await this.#options.clock.sleep(leftMs, signal);
    this.#arrivals = this.#arrivalsNow();
    this.#seen.clear();
    this.#hasLosses = false;
    this.#openedAtMs = undefined;
  }

  /** False where the reason is known. */
  #add(id: string): boolean {
    if (this.#seen.has(id) || this.#seen.size >= MOST_REASONS) return false;
    this.#seen.add(id);
    this.#lastNewAtMs = this.#options.clock.now();
    if (this.#openedAtMs === undefined) this.#silenceMs = this.#lastNewAtMs - this.#lastReasonAtMs;
    this.#openedAtMs ??= this.#lastNewAtMs;
    this.#wake?.();
    return true;
  }

  /** Whether nothing had come for `maxMs` when the window was opened. */
  get #isQuiet(): boolean {
    return this.#silenceMs >= this.#options.maxMs;
  }

  #arrivalsNow(): Arrivals {
    if (!this.#isQuiet || this.#isFull()) return 'steady';
    return this.#silenceMs < FOLLOWED_MS ? 'recurring' : 'quiet';
  }

  #isFull(): boolean {
    const { clock, maxMs } = this.#options;
    return this.#openedAtMs !== undefined && clock.now() - this.#openedAtMs >= maxMs;
  }

  #leftMs(): number {
    const { clock, maxMs } = this.#options;
    const isShort = this.#isQuiet && !this.#hasLosses;
    const idleMs = isShort ? Math.min(this.#options.idleMs, QUIET_IDLE_MS * this.#seen.size) : this.#options.idleMs;
    const openedAtMs = this.#openedAtMs ?? clock.now();
    return Math.min(this.#lastNewAtMs + idleMs, openedAtMs + maxMs) - clock.now();
  }

  #firstTrigger(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      signal.throwIfAborted();
      signal.addEventListener('abort', onAbort, { once: true });
      this.#wake = () => {
        this.#wake = undefined;
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
    });
  }
}

const WINDOW_MS = 15 * 60_000;
/** Each release deletes machines before any pod ran on them. */
const MOST_IN_WINDOW = 5;

/** None for a replacement of another node: the pods of that one come later. */
const claimForPods = ({ claim }: NodeView): readonly NodeClaim[] =>
  claim === undefined || commandRecordOf(claim) !== undefined ? [] : [claim];

/**
 * Deletes the in-flight nodes of pod groups that do not get all their places, so that a group has all its nodes or
 * none, and can get them where there is stock. A group loses its nodes at most five times in 15 minutes: after that
 * they stay, as do those on which a member runs, and replacements of other nodes.
 */
export class GroupRelease {
  readonly #shell: Shell;
  /** Group → when it last lost its nodes (epoch ms). */
  readonly #released = new Map<string, readonly number[]>();

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  /** Whether a group was released: its pods then wait for another plan. */
  async after(plan: Plan, snapshot: ClusterSnapshot, signal: AbortSignal): Promise<boolean> {
    const nowMs = this.#shell.clock.now();
    const groups = incompleteGroups(plan, snapshot)
      .map(({ name, nodes }) => ({ name, claims: nodes.flatMap(claimForPods) }))
      .filter(({ name, claims }) => claims.length > 0 && this.#mayRelease(name, nowMs));
    for (const { name, claims } of groups) {
      this.#released.set(name, [...(this.#released.get(name) ?? []), nowMs]);
      for (const claim of claims) await deleteNodeClaim(this.#shell, claim, { reason: 'incomplete_group', signal });
    }
    return groups.length > 0;
  }

  #mayRelease(name: string, nowMs: number): boolean {
    for (const [group, timesMs] of this.#released) {
      const recent = timesMs.filter((ms) => nowMs - ms < WINDOW_MS);
      if (recent.length === 0) this.#released.delete(group);
      else this.#released.set(group, recent);
    }
    return (this.#released.get(name)?.length ?? 0) < MOST_IN_WINDOW;
  }
}
