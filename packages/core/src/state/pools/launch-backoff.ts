import type { Clock } from '../../ports/index.ts';
import { HookTaints } from './hook-taints.ts';

/** A step of a claim's way to a node that takes pods, in order. */
export type LaunchStep = 'launched' | 'registered' | 'initialized';

/** What a claim did not come to. `kept`: its node took pods, and its launch failed then. */
export type MissedStep = LaunchStep | 'kept';

/** How a claim failed. */
export interface LaunchFailure {
  readonly claimName: string;
  readonly step: MissedStep;
  /** CamelCase: a condition's reason. */
  readonly cause: string;
  readonly message: string;
  /** Whether admission denied the claim. */
  readonly isDenied?: boolean | undefined;
}

/** A cause by which a pool's launches keep failing. */
export interface FailingLaunches {
  readonly cause: string;
  readonly message: string;
  /** How often in a row. */
  readonly times: number;
  /** Nothing is launched before (epoch ms). */
  readonly untilMs: number;
  /** When the row is over, unless one more fails (epoch ms); Infinity: when a claim comes further. */
  readonly endsMs: number;
}

/** After the first failure, the second, the third, and each one more. */
const WAITS_MS = [0, 60_000, 5 * 60_000, 15 * 60_000];
/** The longest wait after a denial of admission: a webhook or policy may end at any time, and no object that is watched changes. */
export const LONGEST_DENIED_MS = 2 * 60_000;
/** A node that takes pods shows that it is kept by nothing but time: nodes that fail less often than this are no row. */
const KEPT_MS = 60 * 60_000;
/** A pool is passed over for so long after its last failure, as far as others serve. */
const AVOIDED_MS = 5 * 60_000;
const STEPS: readonly MissedStep[] = ['launched', 'registered', 'initialized', 'kept'];

const isBefore = (step: MissedStep, other: MissedStep): boolean => STEPS.indexOf(step) < STEPS.indexOf(other);

interface Remembered extends FailingLaunches {
  /** The furthest that one of the row did not come to. */
  readonly step: MissedStep;
  /** How many failures had been counted, with this one: claims that were requested before it say nothing new. */
  readonly counted: number;
}

const furthest = (step: MissedStep, before = step): MissedStep => (isBefore(step, before) ? before : step);

interface RowState extends Pick<Remembered, 'times' | 'step'> {
  readonly isDenied: boolean;
}

/** When the pause and the row are over. */
const endsOf = ({ times, step, isDenied }: RowState, nowMs: number): Pick<Remembered, 'untilMs' | 'endsMs'> => ({
  untilMs: nowMs + Math.min(WAITS_MS[Math.min(times, WAITS_MS.length) - 1] ?? 0, isDenied ? LONGEST_DENIED_MS : Number.POSITIVE_INFINITY),
  endsMs: step === 'kept' ? nowMs + KEPT_MS : Number.POSITIVE_INFINITY,
});

/**
 * Which pools launch nothing for a while because what they launched failed again and again, by cause. A pool in backoff
 * leaves its pods to other pools. Forgotten at a restart, which costs one more try.
 * Differs: the original launches again at once, for as long as the cause lasts.
 */
export class LaunchBackoff {
  /** What the registration of nodes taught about the pools' next ones. */
  readonly hookTaints: HookTaints;
  readonly #clock: Clock;
  readonly #pools = new Map<string, Map<string, Remembered>>();
  /** Claim → how many failures had been counted when this process asked for it. */
  readonly #askedAfter = new Map<string, number>();
  /** Pool → since when and until when it is passed over (epoch ms). */
  readonly #avoided = new Map<string, { readonly sinceMs: number; readonly untilMs: number }>();
  #counted = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.hookTaints = new HookTaints(clock);
  }

  /** The claim is requested, for the first time or again. */
  asked(claimName: string): void {
    if (!this.#askedAfter.has(claimName)) this.#askedAfter.set(claimName, this.#counted);
  }

  /** The claim is no more. */
  gone(claimName: string): void {
    this.#askedAfter.delete(claimName);
  }

  /** A launch of the pool failed and is tried again: until one succeeds, pods go to other pools first. */
  troubled(nodePoolName: string): void {
    const nowMs = this.#clock.now();
    this.#avoided.set(nodePoolName, { sinceMs: this.avoidedSinceMs(nodePoolName) ?? nowMs, untilMs: nowMs + AVOIDED_MS });
  }

  failed(nodePoolName: string, { claimName, step, cause, message, isDenied = false }: LaunchFailure): void {
    this.troubled(nodePoolName);
    const before = this.#rowOf(nodePoolName, cause);
    // What an earlier process requested came before all that this one has counted.
    if (before !== undefined && (this.#askedAfter.get(claimName) ?? 0) < before.counted) return;
    this.#counted += 1;
    const causes = this.#pools.get(nodePoolName) ?? new Map<string, Remembered>();
    const times = (before?.times ?? 0) + 1;
    const row = { cause, message, times, step: furthest(step, before?.step), counted: this.#counted };
    this.#pools.set(nodePoolName, causes.set(cause, { ...row, ...endsOf({ ...row, isDenied }, this.#clock.now()) }));
  }

  /** A claim has come so far: what kept others from coming so far does no more. */
  succeeded(nodePoolName: string, step: LaunchStep): void {
    const causes = this.#pools.get(nodePoolName) ?? new Map<string, Remembered>();
    for (const [cause, failing] of [...causes]) if (!isBefore(step, failing.step)) causes.delete(cause);
    if (causes.size === 0) this.#avoided.delete(nodePoolName);
  }

  /** The pool, or what it launches by, was changed: whatever it was may be mended. */
  forget(nodePoolName: string): void {
    this.#pools.delete(nodePoolName);
    this.#avoided.delete(nodePoolName);
    this.hookTaints.forget(nodePoolName);
  }

  /** Whether its last launch failed, and that is less than five minutes ago: other pools are to serve pods first. */
  isAvoided(nodePoolName: string): boolean {
    return this.avoidedSinceMs(nodePoolName) !== undefined;
  }

  /** When the first of the failures came that other pools are to serve pods for (epoch ms); undefined: there is none. */
  avoidedSinceMs(nodePoolName: string): number | undefined {
    const avoided = this.#avoided.get(nodePoolName);
    return avoided !== undefined && avoided.untilMs > this.#clock.now() ? avoided.sinceMs : undefined;
  }

  isHeld(nodePoolName: string): boolean {
    return (this.failingOf(nodePoolName)?.untilMs ?? 0) > this.#clock.now();
  }

  /** The cause that holds the pool back the longest; undefined while no launch has failed twice in a row. */
  failingOf(nodePoolName: string): FailingLaunches | undefined {
    const causes = [...(this.#pools.get(nodePoolName)?.keys() ?? [])];
    const keptOn = causes.flatMap((cause) => this.#rowOf(nodePoolName, cause) ?? []).filter(({ times }) => times > 1);
    return keptOn.reduce<Remembered | undefined>(
      (worst, each) => (worst === undefined || each.untilMs > worst.untilMs ? each : worst),
      undefined,
    );
  }

  /** What failed for the cause, unless that is over. */
  #rowOf(nodePoolName: string, cause: string): Remembered | undefined {
    const row = this.#pools.get(nodePoolName)?.get(cause);
    return row !== undefined && row.endsMs > this.#clock.now() ? row : undefined;
  }
}

interface Result {
  readonly claimId: string;
  readonly isRegistered: boolean;
}

/** As many as count. */
const LENGTH = 4;
/** So many of them failed: the pool is not healthy. */
const TOO_MANY = 2;

/**
 * What became of the last machines of each pool, by the pool's uid: whether their nodes came.
 * Source: the original's `pkg/state/nodepoolhealth`.
 */
export class RegistrationHistory {
  readonly #results = new Map<string, readonly Result[]>();

  /** Saying the same of one claim twice counts once. */
  add(poolId: string, result: Result): void {
    const before = this.#results.get(poolId) ?? [];
    if (before.some(({ claimId }) => claimId === result.claimId)) return;
    this.#results.set(poolId, [...before, result].slice(-LENGTH));
  }

  /** Takes up what an earlier process had come to, where nothing is known yet. */
  recall(poolId: string, wasHealthy: boolean): void {
    if (this.#results.has(poolId)) return;
    const results = wasHealthy ? [true] : [false, false];
    this.#results.set(
      poolId,
      results.map((isRegistered, index) => ({ claimId: `before/${index}`, isRegistered })),
    );
  }

  forget(poolId: string): void {
    this.#results.delete(poolId);
  }

  /** Undefined while nothing is known. */
  isHealthy(poolId: string): boolean | undefined {
    const results = this.#results.get(poolId);
    return results && results.filter(({ isRegistered }) => !isRegistered).length < TOO_MANY;
  }
}
