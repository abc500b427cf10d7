import type { Clock } from '../../ports/index.ts';

/** A step of a claim's way to a node that takes pods, in order. */
export type LaunchStep = 'launched' | 'registered' | 'initialized';

/** How a claim was given up. */
export interface LaunchFailure {
  /** What it did not come to. */
  readonly step: LaunchStep;
  /** CamelCase: a condition's reason. */
  readonly cause: string;
  readonly message: string;
  /** The claim's creation: claims that were asked for before the last failure say nothing new. */
  readonly bornMs: number;
}

/** A cause by which a pool's launches keep failing. */
export interface FailingLaunches {
  readonly cause: string;
  readonly message: string;
  /** How often in a row. */
  readonly times: number;
  /** Nothing is launched before (epoch ms). */
  readonly untilMs: number;
}

/** After the first failure, the second, the third, and each one more. */
const WAITS_MS = [0, 60_000, 5 * 60_000, 15 * 60_000];
const STEPS: readonly LaunchStep[] = ['launched', 'registered', 'initialized'];

interface Remembered extends FailingLaunches {
  readonly step: LaunchStep;
  readonly lastMs: number;
}

/**
 * Which pools launch nothing for a while because what they launched was given up again and again, by cause. A pool that is held back
 * leaves its pods to other pools. Forgotten at a restart, which costs one more try.
 * Differs: the original launches again at once, for as long as the cause lasts.
 */
export class LaunchBackoff {
  readonly #clock: Clock;
  readonly #pools = new Map<string, Map<string, Remembered>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  failed(nodePoolName: string, { step, cause, message, bornMs }: LaunchFailure): void {
    const causes = this.#pools.get(nodePoolName) ?? new Map<string, Remembered>();
    const before = causes.get(cause);
    if (before !== undefined && bornMs < before.lastMs) return;
    const times = (before?.times ?? 0) + 1;
    const lastMs = this.#clock.now();
    const untilMs = lastMs + (WAITS_MS[Math.min(times, WAITS_MS.length) - 1] ?? 0);
    this.#pools.set(nodePoolName, causes.set(cause, { step, cause, message, times, untilMs, lastMs }));
  }

  /** A claim has come so far: what kept others from coming so far does no more. */
  succeeded(nodePoolName: string, step: LaunchStep): void {
    const causes = this.#pools.get(nodePoolName) ?? new Map<string, Remembered>();
    for (const [cause, failing] of [...causes]) if (STEPS.indexOf(failing.step) <= STEPS.indexOf(step)) causes.delete(cause);
  }

  /** The pool, or what it launches by, was changed: whatever it was may be mended. */
  forget(nodePoolName: string): void {
    this.#pools.delete(nodePoolName);
  }

  isHeld(nodePoolName: string): boolean {
    return (this.failingOf(nodePoolName)?.untilMs ?? 0) > this.#clock.now();
  }

  /** The cause that holds the pool back the longest; undefined while no launch has failed twice in a row. */
  failingOf(nodePoolName: string): FailingLaunches | undefined {
    const keptOn = [...(this.#pools.get(nodePoolName)?.values() ?? [])].filter(({ times }) => times > 1);
    return keptOn.reduce<Remembered | undefined>(
      (worst, each) => (worst === undefined || each.untilMs > worst.untilMs ? each : worst),
      undefined,
    );
  }
}
