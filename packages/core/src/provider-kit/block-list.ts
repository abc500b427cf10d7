import { failureRecord } from './failure-record.ts';

/** One thing that was not to be had. */
export interface Block {
  readonly key: string;
  /** How long it is left alone the first time; each further failure in a row doubles that, up to `mostMs`. */
  readonly ttlMs: number;
  /** Left out: a day. */
  readonly mostMs?: number;
  /** What is smaller is not meant. Left out: everything under the key. */
  readonly fromSize?: number;
}

/** What failed lately, so that the next plan looks elsewhere. Forgets by itself; learns from failures in a row. */
export interface BlockList {
  /** A second block neither shortens nor loosens the first. Blocks of one call fail together, and are out as long as the first of them. */
  block(...blocks: readonly [Block, ...Block[]]): void;
  /** It was to be had: its failures before count no more. */
  worked(key: string): void;
  has(key: string, size?: number): boolean;
  /** Grows whenever an answer of `has` may have changed, by a block or by forgetting one: for a catalog that is kept. */
  version(): number;
}

interface Entry {
  readonly untilMs: number;
  readonly fromSize: number;
}

/** An empty list. */
export const blockList = (clock: { now(): number }): BlockList => {
  const entries = new Map<string, Entry>();
  const records = failureRecord(clock);
  let version = 0;

  const forget = (): void => {
    const now = clock.now();
    for (const [key, entry] of entries) {
      if (entry.untilMs > now) continue;
      entries.delete(key);
      version++;
    }
  };
  const put = ({ key, fromSize = 0 }: Block, ttlMs: number): void => {
    forget();
    const before = entries.get(key);
    const threshold = Math.min(fromSize, before?.fromSize ?? Infinity);
    entries.set(key, { fromSize: threshold, untilMs: Math.max(clock.now() + ttlMs, before?.untilMs ?? 0) });
    if (before?.fromSize !== threshold) version++;
  };
  return {
    block: (...blocks) => {
      const [{ key, ttlMs, mostMs = Infinity }] = blocks;
      const longMs = Math.min(records.lengthenedMs(key, ttlMs), mostMs);
      for (const each of blocks) put(each, longMs);
    },
    worked: (key) => records.forget(key),
    has: (key, size = 0) => {
      const entry = entries.get(key);
      return entry !== undefined && entry.untilMs > clock.now() && size >= entry.fromSize;
    },
    version: () => {
      forget();
      return version;
    },
  };
};
