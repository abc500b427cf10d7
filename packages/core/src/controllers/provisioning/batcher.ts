import { steadyClock } from '@karpenter/runtime';
import type { CacheChange } from '@karpenter/runtime';
import { hasDisruptedTaint } from '../../actions/index.ts';
import type { NodePool } from '../../apis/index.ts';
import { conditionOf, namespaceOf } from '../../kube/index.ts';
import type { ObjectMeta, Pod } from '../../kube/index.ts';
import type { Clock, FollowedCache } from '../../ports/index.ts';
import type { Plan, RejectionReason } from '../../scheduling/index.ts';
import { isInitialized, nodePoolConditions, podId } from '../../state/index.ts';
import { onBufferChange } from '../capacity-buffer/capacity-buffer.ts';
import type { Shell } from '../shell.ts';
import { hasNewSpec } from '../watches.ts';
import { onMinimumLoss } from './minimum-nodes.ts';

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
 * How long a window on a quiet cluster waits for each reason in it. A lone pod is planned at once, the pods of a
 * Deployment together.
 */
const QUIET_IDLE_MS = 75;

/** A sparse reminder comes again after so long. */
const REMIND_AGAIN_MS = 1000;

/** Pods whose like found no place keep a window open for so long. */
const BRIEF_MS = 1000;

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
    // A clock that is set back would keep a window open for as long.
    this.#options = { ...options, clock: steadyClock(options.clock) };
  }

  /** Of the window that closed last. */
  get arrivals(): Arrivals {
    return this.#arrivals;
  }

  /** A reason to act. The same `id` twice in one window is one reason. */
  trigger(id: string): void {
    if (this.#add(id)) this.#lastReasonAtMs = this.#lastNewAtMs;
  }

  /** A pod whose like found no place: it keeps a window open for `BRIEF_MS`, and does not show that pods keep coming. */
  triggerBriefly(id: string): void {
    this.#add(id, BRIEF_MS);
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
   * places there. It does so, too, where pods keep coming and some are in its queue: those may need places too.
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

  /** The window waits for more only in its first `withinMs`. False where the reason is known. */
  #add(id: string, withinMs = Number.POSITIVE_INFINITY): boolean {
    if (this.#seen.has(id) || this.#seen.size >= MOST_REASONS) return false;
    this.#seen.add(id);
    const nowMs = this.#options.clock.now();
    if (this.#openedAtMs !== undefined && nowMs >= this.#openedAtMs + withinMs) return true;
    this.#lastNewAtMs = nowMs;
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

const RETRY_MS = 10_000;

/** kube-scheduler binds hundreds of pods a second: by then it has bound most pods of a node. */
const CHECK_AFTER_MS = 1000;

type Timing = Pick<Shell, 'clock' | 'reporter'>;

/** What runs once for several calls. `about` names it where it fails. */
interface Gathered {
  readonly afterMs: number;
  readonly about: string;
  readonly run: () => void;
}

/** Runs something so long after the first of several calls, unless the call's signal ends it. A failure is reported: it has no caller. */
const gathering = ({ clock, reporter }: Timing, { afterMs, about, run }: Gathered): ((signal?: AbortSignal) => void) => {
  let isSet = false;
  return (signal) => {
    if (isSet) return;
    isSet = true;
    const once = (): void => {
      isSet = false;
      run();
    };
    // A sleep, because it ends with the signal: a timer would keep the process alive.
    void clock
      .sleep(afterMs, signal)
      .then(once)
      .catch((error: unknown) => {
        if (signal?.aborted !== true) reporter.report({ kind: 'report-failed', about, error });
      });
  };
};

/**
 * Rechecks nominations a moment after a machine was initialized, and after each call, for a pod that was bound to one
 * with nominations. kube-scheduler may have bound pods elsewhere than planned; others then lack room. Those nominations
 * end, and their pods count as waiting again.
 */
const nominationCheck = (shell: Shell): (() => void) => {
  const { state, caches, clock } = shell;
  const checkSoon = gathering(shell, { afterMs: CHECK_AFTER_MS, about: 'nominations', run: () => void state.views(clock.now()) });
  caches.nodeClaims.subscribe((change) => {
    if (change.type === 'updated' && isInitialized(change.object) && !isInitialized(change.previous)) checkSoon();
  });
  return checkSoon;
};

const isReady = ({ status }: NodePool): boolean => conditionOf(status?.conditions, nodePoolConditions.ready)?.status === 'True';

/** Whether a pod that found no place may find one after this change of a NodePool: it became ready, or a person edited it. */
export const allowsMore = (change: CacheChange<NodePool>): boolean => {
  switch (change.type) {
    case 'added':
      return isReady(change.object);
    case 'updated':
      return isReady(change.object) && (!isReady(change.previous) || hasNewSpec(change));
    case 'deleted':
      return false;
  }
};

/** What pods claim devices by: they may have been created before it. */
const claimCaches = ({ caches: { devices } }: Shell): readonly FollowedCache<{ readonly metadata: ObjectMeta }>[] =>
  devices === undefined ? [] : [devices.deviceClasses, devices.resourceClaims, devices.resourceClaimTemplates];

/** So many plans may place none of a namespace's new pods before more of these are planned once a second. */
const MOST_IN_VAIN = 5;
const FORGOTTEN_AFTER_MS = 60_000;
const NOT_TRIED: ReadonlySet<RejectionReason['kind']> = new Set(['stopped', 'postponed']);

/** Namespaces whose pods keep coming and find no place: pods that crash, or that somebody deletes and makes again. */
class VainArrivals {
  readonly #clock: Pick<Clock, 'now'>;
  /** Namespaces with new pods since the last plan. */
  readonly #fresh = new Set<string>();
  /** Namespace → in how many plans its new pods found no place, and when in the last one (epoch ms). */
  readonly #vain = new Map<string, { readonly times: number; readonly atMs: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** A pod begins to wait. Returns how many plans in a row placed none of its namespace's new pods. */
  timesBefore(pod: Pod): number {
    const namespace = namespaceOf(pod);
    this.#fresh.add(namespace);
    const { times = 0, atMs = 0 } = this.#vain.get(namespace) ?? {};
    return this.#clock.now() < atMs + FORGOTTEN_AFTER_MS ? times : 0;
  }

  note({ plannedNodes, placements, rejections }: Pick<Plan, 'plannedNodes' | 'placements' | 'rejections'>): void {
    const atMs = this.#clock.now();
    const placed = [...plannedNodes.flatMap(({ pods }) => pods), ...[...placements.values()].flat()];
    const served = new Set(placed.map(namespaceOf));
    const rejected = new Set(rejections.flatMap(({ pod, reason: { kind } }) => (NOT_TRIED.has(kind) ? [] : namespaceOf(pod))));
    for (const [namespace, vain] of this.#vain)
      if (served.has(namespace) || vain.atMs + FORGOTTEN_AFTER_MS <= atMs) this.#vain.delete(namespace);
    for (const namespace of rejected)
      if (this.#fresh.has(namespace) && !served.has(namespace))
        this.#vain.set(namespace, { times: (this.#vain.get(namespace)?.times ?? 0) + 1, atMs });
    this.#fresh.clear();
  }
}

interface PlanningTriggers {
  /** Plans again after a while. */
  readonly retry: (signal: AbortSignal) => void;
  /** Takes note of what became of pods that had waited. */
  readonly note: (plan: Pick<Plan, 'plannedNodes' | 'placements' | 'rejections'>) => void;
}

/**
 * Reasons to plan: pods that wait or lost their nomination, and nodes that begin to be emptied. Reminders, which say
 * nothing about whether pods keep coming: pools that allow more, time, and what may change as often as somebody likes:
 * claims, pod groups, buffers, nodes that are being emptied, and pods of a namespace whose pods find no place.
 */
export const planningTriggers = (shell: Shell, batcher: Batcher): PlanningTriggers => {
  const { state, caches, clock } = shell;
  const checkNominationsSoon = nominationCheck(shell);
  const remind = (): void => batcher.remindSparsely();
  const arrivals = new VainArrivals(clock);
  const triggerBy = (pod: Pod): void => {
    const timesInVain = arrivals.timesBefore(pod);
    if (timesInVain === 0) batcher.trigger(podId(pod));
    else if (timesInVain < MOST_IN_VAIN) batcher.triggerBriefly(podId(pod));
    else remind();
  };
  state.onPodTransition((transition) => {
    if (transition.kind === 'waiting') {
      if (transition.hadPlace) batcher.triggerByLoss(podId(transition.pod));
      else triggerBy(transition.pod);
    }
    if (transition.kind !== 'bound' || state.nominatedOn(transition.nodeName).length === 0) return;
    batcher.extend(state.hasQueuedPods);
    checkNominationsSoon();
  });
  caches.nodes.subscribe((change) => {
    if (change.type === 'deleted' || !hasDisruptedTaint(change.object)) return;
    if (change.type === 'updated' && hasDisruptedTaint(change.previous)) remind();
    else batcher.trigger(change.object.metadata.name);
  });
  caches.nodePools.subscribe((change) => {
    if (allowsMore(change)) batcher.remind();
  });
  for (const cache of [caches.persistentVolumeClaims, ...claimCaches(shell)])
    cache.subscribe(({ type }) => {
      if (type !== 'deleted') remind();
    });
  caches.podGroups?.subscribe((change) => {
    const before = change.type === 'updated' ? change.previous : undefined;
    if (change.object.spec?.minMember !== before?.spec?.minMember) remind();
  });
  onMinimumLoss(shell, () => batcher.trigger('minimum of a pool'));
  onBufferChange(shell, remind);
  for (const pod of state.waitingPods()) batcher.trigger(podId(pod));
  return {
    note: (plan) => arrivals.note(plan),
    retry: gathering(shell, { afterMs: RETRY_MS, about: 'the next plan', run: () => batcher.remind() }),
  };
};
