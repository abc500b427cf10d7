import { backoffMs, steadyNow } from '@karpenter/runtime';

/** Remembers how often in a row something failed, and so how long it is to be left alone. */
export interface FailureRecord {
  /** The time that it stays out: `ttlMs` the first time, doubled for each failure after the last time was over. */
  lengthenedMs(key: string, ttlMs: number): number;
  forget(key: string): void;
}

const DAY_MS = 24 * 3_600_000;

interface Failures {
  readonly count: number;
  readonly untilMs: number;
}

/**
 * What was requested together fails together: that counts once. `longestMs` is the most that failures in a row keep
 * something out; after as long without a failure it starts from zero.
 */
export const failureRecord = (clock: { now(): number }, longestMs = DAY_MS): FailureRecord => {
  const records = new Map<string, Failures>();
  return {
    lengthenedMs: (key, ttlMs) => {
      const now = clock.now();
      const known = records.get(key);
      const before = known !== undefined && known.untilMs + longestMs > now ? known : { count: -1, untilMs: 0 };
      const count = before.untilMs > now ? before.count : before.count + 1;
      const longMs = Math.max(ttlMs, backoffMs(count + 1, { baseMs: ttlMs, maxMs: longestMs }));
      records.set(key, { count, untilMs: Math.max(now + longMs, before.untilMs) });
      return longMs;
    },
    forget: (key) => void records.delete(key),
  };
};

/** One thing that was out of stock. */
export interface Block {
  readonly key: string;
  /** How long it is left alone the first time; each further failure in a row doubles that, up to `mostMs`. */
  readonly ttlMs: number;
  /** Left out: a day. As long as `ttlMs`: it never lasts longer, nor does it count among the failures in a row. */
  readonly mostMs?: number;
  /** What is smaller is not meant. Left out: everything under the key. */
  readonly fromSize?: number;
}

/** What failed lately, so that the next plan goes elsewhere. Forgets by itself; learns from failures in a row. */
export interface BlockList {
  /**
   * Each block holds for itself, of its own sizes for its own time: none shortens, lengthens or widens another. Blocks
   * of one call fail together, and are out as long as the first of them.
   */
  block(...blocks: readonly [Block, ...Block[]]): void;
  /** A launch got it: its failures before count no more. */
  worked(key: string): void;
  /** Whether a block of the key holds now for this size. Default size 0: only a block of all sizes. */
  has(key: string, size?: number): boolean;
  /** Grows whenever an answer of `has` may have changed, by a block or by forgetting one: for a catalog that is kept. */
  version(): number;
}

/** What holds from a size on, until a time. */
interface Hold {
  readonly fromSize: number;
  readonly untilMs: number;
}

/** Whether it holds at least as long, of at least as many sizes. */
const covers = (a: Hold, b: Hold): boolean => a.fromSize <= b.fromSize && a.untilMs >= b.untilMs;

/**
 * An empty `BlockList`. It lasts as long as the process, and costs a few numbers for each key that ever failed. `has` is
 * O(blocks of the key). Setting the clock of the machine changes no block.
 */
export const blockList = (source: { now(): number }): BlockList => {
  const clock = { now: steadyNow(source) };
  /** Key → holds, none of them covering another: the one from the smallest size ends first. */
  const holds = new Map<string, readonly Hold[]>();
  const records = failureRecord(clock);
  let version = 0;

  const forget = (): void => {
    const now = clock.now();
    for (const [key, before] of holds) {
      const left = before.filter(({ untilMs }) => untilMs > now);
      if (left.length === before.length) continue;
      if (left.length > 0) holds.set(key, left);
      else holds.delete(key);
      version++;
    }
  };
  const put = ({ key, fromSize = 0 }: Block, ttlMs: number): void => {
    forget();
    const before = holds.get(key) ?? [];
    const hold = { fromSize, untilMs: clock.now() + ttlMs };
    if (before.some((other) => covers(other, hold))) return;
    holds.set(key, [...before.filter((other) => !covers(hold, other)), hold]);
    if (before.every((other) => other.fromSize > fromSize)) version++;
  };
  return {
    block: (...blocks) => {
      const [{ key, ttlMs, mostMs = Infinity }] = blocks;
      const longMs = mostMs > ttlMs ? Math.min(records.lengthenedMs(key, ttlMs), mostMs) : mostMs;
      for (const each of blocks) put(each, longMs);
    },
    worked: (key) => records.forget(key),
    has: (key, size = 0) => {
      const now = clock.now();
      return holds.get(key)?.some(({ fromSize, untilMs }) => size >= fromSize && untilMs > now) ?? false;
    },
    version: () => {
      forget();
      return version;
    },
  };
};

/** How much is left of each quota; one without an entry is unknown. Keys in lower case. */
export type QuotaLeft = ReadonlyMap<string, number>;

/** Whether so much fits a quota. What is not known counts as yes: the cloud has the last word. */
export const hasQuota = (left: QuotaLeft, quota: string, amount: number): boolean => amount <= (left.get(quota.toLowerCase()) ?? Infinity);
