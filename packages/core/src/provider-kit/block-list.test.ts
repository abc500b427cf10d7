import { describe, expect, test } from '@jest/globals';
import { blockList } from './block-list.ts';

const HOUR = 3_600_000;

const aList = () => {
  const clock = { ms: 0, now: () => clock.ms };
  return { clock, list: blockList(clock) };
};

describe('what was out of stock', () => {
  test('is left alone for a while, and with it what is larger, where a size was said', () => {
    const { clock, list } = aList();
    list.block({ key: 'a', ttlMs: 1000 }, { key: 'family', ttlMs: 1000, fromSize: 8 });
    expect(list.has('a')).toBe(true);
    expect([list.has('family', 4), list.has('family', 8), list.has('family', 16)]).toEqual([false, true, true]);
    clock.ms = 1000;
    expect([list.has('a'), list.has('family', 16)]).toEqual([false, false]);
  });

  test('is neither freed sooner nor for more sizes by a second failure', () => {
    const { clock, list } = aList();
    list.block({ key: 'a', ttlMs: 1000, fromSize: 4 });
    list.block({ key: 'a', ttlMs: 10, fromSize: 8 });
    clock.ms = 500;
    expect(list.has('a', 4)).toBe(true);
  });

  test('is not kept longer, of its small sizes, by a longer block of large ones, whichever came first', () => {
    const long = { key: 'a', ttlMs: 23 * HOUR, fromSize: 64 };
    const short = { key: 'a', ttlMs: 1000, fromSize: 2 };
    for (const order of [
      [long, short],
      [short, long],
    ]) {
      const { clock, list } = aList();
      for (const block of order) list.block({ ...block, mostMs: block.ttlMs });
      expect([list.has('a', 2), list.has('a', 64)]).toEqual([true, true]);
      const before = list.version();
      clock.ms = 1000;
      expect([list.has('a', 2), list.has('a', 63), list.has('a', 64)]).toEqual([false, false, true]);
      expect(list.version()).toBe(before + 1);
      clock.ms = 23 * HOUR;
      expect(list.has('a', 64)).toBe(false);
    }
  });

  test('stays out twice as long each time it fails again, up to a day, until it worked', () => {
    const { clock, list } = aList();
    const hoursOut = (): number => {
      const startMs = clock.ms;
      list.block({ key: 'a', ttlMs: HOUR });
      while (list.has('a')) clock.ms += HOUR;
      return (clock.ms - startMs) / HOUR;
    };
    expect([1, 2, 3, 4, 5, 6, 7].map(hoursOut)).toEqual([1, 2, 4, 8, 16, 24, 24]);
    list.worked('a');
    expect(hoursOut()).toBe(1);
  });

  test('stays out no longer than is said', () => {
    const { clock, list } = aList();
    for (let round = 0; round < 4; round += 1) {
      list.block({ key: 'a', ttlMs: 1000, mostMs: 3000 });
      clock.ms += 3000;
      expect(list.has('a')).toBe(false);
    }
    list.block({ key: 'a', ttlMs: 1000, mostMs: 3000 });
    clock.ms += 2999;
    expect(list.has('a')).toBe(true);
  });

  test('never lengthens what may last no longer than the first time, nor what fails for another cause after it', () => {
    const { clock, list } = aList();
    for (let again = 0; again < 5; again++) {
      list.block({ key: 'a', ttlMs: 1000, mostMs: 1000 });
      clock.ms += 1000;
      expect(list.has('a')).toBe(false);
    }
    list.block({ key: 'a', ttlMs: HOUR });
    clock.ms += HOUR;
    expect(list.has('a')).toBe(false);
  });

  test('counts once when many failed together', () => {
    const { clock, list } = aList();
    for (let i = 0; i < 100; i++) list.block({ key: 'a', ttlMs: HOUR });
    clock.ms = HOUR;
    expect(list.has('a')).toBe(false);
  });

  test('moves the version when it comes and when it goes, and not in between', () => {
    const { clock, list } = aList();
    const versions = [list.version()];
    list.block({ key: 'a', ttlMs: 1000 });
    versions.push(list.version());
    list.block({ key: 'a', ttlMs: 1000 });
    versions.push(list.version());
    clock.ms = 1000;
    versions.push(list.version());
    expect(versions).toEqual([0, 1, 1, 2]);
  });
});
