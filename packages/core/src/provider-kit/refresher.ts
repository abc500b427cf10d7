import { isFailure, requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import type { Resources } from '../kube/index.ts';
import type { Clock } from '../ports/index.ts';

/** Something that the cloud says and that changes seldom: sizes, prices, quota. */
export interface Refreshing {
  /** Name of the controller. */
  readonly name: string;
  readonly clock: Clock;
  /** How old it may become before the next read. */
  readonly everyMs: number;
  /** When what there is from the start dates from, in milliseconds of Unix time. Left out: there is nothing. */
  readonly sinceMs?: number;
  /** How often the age is checked and reported. Left out: `everyMs`. */
  readonly checkEveryMs?: number;
  /** Reads it and puts it where it is used. Gives false when the answer was of no use: what there was stays. */
  readonly read: (signal: AbortSignal) => Promise<boolean>;
  /** Called at each check with its age; undefined before the first read. */
  readonly onAge?: (ageMs: number | undefined) => void;
  /** What to do about a failure; what there was stays. Left out: it is thrown, and tried again with backoff. */
  readonly onFailure?: (error: Error) => void;
}

/** Reads something at the start and again before it becomes too old. */
export interface Refresher {
  /** Reads it now, for the start; whoever asks while it is read, the controller too, waits for that one read. */
  refresh(signal: AbortSignal): Promise<void>;
  readonly controller: SingletonController;
}

/**
 * A `Refresher` and its controller; reads that come together share one. A failed read keeps what there was: `refresh`
 * throws it, unless `onFailure` takes it. A bug in `read` is thrown in any case.
 */
export const refresher = (what: Refreshing): Refresher => {
  const { clock, everyMs, checkEveryMs = everyMs, onAge = () => undefined, onFailure } = what;
  let readAtMs = what.sinceMs;
  const reportAge = (): void => onAge(readAtMs === undefined ? undefined : Math.max(0, clock.now() - readAtMs));
  const readNow = async (signal: AbortSignal): Promise<void> => {
    try {
      if (await what.read(signal)) readAtMs = clock.now();
    } catch (error) {
      if (!isFailure(error) || onFailure === undefined) throw error;
      if (!signal.aborted) onFailure(error);
    }
  };
  let underWay: Promise<void> | undefined;
  const isDue = (): boolean => underWay !== undefined || readAtMs === undefined || readAtMs + everyMs <= clock.now();
  const refresh = (signal: AbortSignal): Promise<void> => (underWay ??= readNow(signal).finally(() => (underWay = undefined)));
  return {
    refresh,
    controller: {
      name: what.name,
      reconcile: async ({ signal }) => {
        try {
          if (isDue()) await refresh(signal);
        } finally {
          reportAge();
        }
        return requeueAfter(checkEveryMs);
      },
    },
  };
};

/** Dollars an hour for one cpu and for one GiB, about what large clouds ask. */
const PER_CPU = 0.035;
const PER_GIB = 0.0045;
const GIB = 1024 ** 3;

/**
 * Dollars an hour for a cloud that has no prices: it grows with the machine, so that fewer and smaller machines count
 * as cheaper. $0.035 for a cpu and $0.0045 for a GiB of memory; other resources cost nothing.
 */
export const standInPricePerHour = ({ cpu = 0, memory = 0 }: Resources): number => (cpu / 1000) * PER_CPU + (memory / GIB) * PER_GIB;
