import { type Clock, backoffMs, steadyClock } from '@karpenter/runtime';
import { ArmError } from '../arm-error.ts';

/** `Creating`, `Succeeded`, …; undefined: there is no such resource. */
export type ProvisioningState = string | undefined;

/** How the states of one kind of resource are read. Both throw `ArmError`. */
export interface StateSource {
  /**
   * Every resource of the kind by name in lower case, and how many calls that took: one a page. Absent: a list does not
   * say.
   */
  readonly list?: (signal: AbortSignal) => Promise<{ readonly states: ReadonlyMap<string, ProvisioningState>; readonly calls: number }>;
  get(name: string, signal: AbortSignal): Promise<ProvisioningState>;
}

export interface StatePace {
  /** How long a resource takes at least: nobody asks before. */
  readonly firstMs: number;
  readonly everyMs: number;
}

/** Follows many resources with few calls. */
export interface StatePoller {
  /** Resolves with the first state that is settled. A failure to read is tried again: it says nothing about the resource. */
  until(name: string, isSettled: (state: ProvisioningState) => boolean, signal: AbortSignal): Promise<ProvisioningState>;
}

interface Waiter {
  readonly name: string;
  readonly isSettled: (state: ProvisioningState) => boolean;
  readonly resolve: (state: ProvisioningState) => void;
  readonly reject: (reason: unknown) => void;
  /** Before, nobody asks. */
  readonly dueMs: number;
}

const LONGEST_PAUSE_MS = 60_000;
/** So that looking after a few machines of a huge cluster leaves most of ARM's reads to others. */
const MS_PER_CALL = 100;

class Poller implements StatePoller {
  readonly #source: StateSource;
  readonly #pace: StatePace;
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();
  #listCalls = 1;
  #loop: AbortController | undefined;
  #nextRoundMs = 0;

  constructor(source: StateSource, pace: StatePace, clock: Clock) {
    this.#source = source;
    this.#pace = pace;
    this.#clock = steadyClock(clock);
  }

  until(name: string, isSettled: Waiter['isSettled'], signal: AbortSignal): Promise<ProvisioningState> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#drop(waiter);
        reject(signal.reason as Error);
      };
      const ending =
        <T>(end: (value: T) => void) =>
        (value: T): void => {
          signal.removeEventListener('abort', onAbort);
          this.#drop(waiter);
          end(value);
        };
      const dueMs = this.#clock.now() + this.#pace.firstMs;
      const waiter: Waiter = { name, isSettled, dueMs, resolve: ending(resolve), reject: ending(reject) };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiters.add(waiter);
      this.#run();
    });
  }

  #drop(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    if (this.#waiters.size > 0) return;
    this.#loop?.abort();
    this.#loop = undefined;
  }

  #run(): void {
    if (this.#loop !== undefined) return;
    const loop = new AbortController();
    this.#loop = loop;
    this.#rounds(loop.signal).catch((error: unknown) => {
      if (loop.signal.aborted) return;
      for (const waiter of this.#waiters) waiter.reject(error);
    });
  }

  async #rounds(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      const firstDueMs = Math.min(...[...this.#waiters].map(({ dueMs }) => dueMs));
      await this.#clock.sleep(Math.max(0, firstDueMs - this.#clock.now(), this.#nextRoundMs - this.#clock.now()), signal);
      const due = [...this.#waiters].filter(({ dueMs }) => dueMs <= this.#clock.now());
      this.#nextRoundMs = this.#clock.now() + this.#everyMs(due.length);
      const pauseMs = await this.#readDue(due, signal, failures);
      failures = pauseMs === undefined ? 0 : failures + 1;
      if (pauseMs !== undefined) this.#nextRoundMs = this.#clock.now() + pauseMs;
    }
  }

  #everyMs(asked: number): number {
    const calls = this.#source.list === undefined ? asked : Math.min(asked, this.#listCalls);
    return Math.max(this.#pace.everyMs, calls * MS_PER_CALL);
  }

  /** Reads the states that are due; returns the pause before the next try when that failed. */
  async #readDue(due: readonly Waiter[], signal: AbortSignal, failures: number): Promise<number | undefined> {
    try {
      const { list } = this.#source;
      await (list !== undefined && due.length > this.#listCalls ? this.#readAll(due, list, signal) : this.#readEach(due, signal));
      return undefined;
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      return error.retryAfterMs ?? backoffMs(failures + 1, { baseMs: this.#pace.everyMs, maxMs: LONGEST_PAUSE_MS });
    }
  }

  async #readAll(due: readonly Waiter[], list: NonNullable<StateSource['list']>, signal: AbortSignal): Promise<void> {
    const { states, calls } = await list(signal);
    this.#listCalls = calls;
    const unseen: Waiter[] = [];
    for (const waiter of this.#waiters) {
      const state = states.get(waiter.name.toLowerCase());
      if (state !== undefined) this.#tell(waiter, state);
      else if (due.includes(waiter)) unseen.push(waiter);
    }
    // A list may be older than what was just made.
    await this.#readEach(unseen, signal);
  }

  async #readEach(waiters: readonly Waiter[], signal: AbortSignal): Promise<void> {
    await Promise.all(waiters.map(async (waiter) => this.#tell(waiter, await this.#source.get(waiter.name, signal))));
  }

  #tell(waiter: Waiter, state: ProvisioningState): void {
    if (waiter.isSettled(state)) waiter.resolve(state);
  }
}

/**
 * One loop for all that wait for resources of one kind. Each round reads either the whole list or the few that are
 * waited for, whichever takes fewer calls; so the cost of following a scale-up grows with its length, not with the
 * number of its machines.
 */
export const statePoller = (source: StateSource, pace: StatePace, clock: Clock): StatePoller => new Poller(source, pace, clock);
