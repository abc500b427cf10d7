import { describe, expect, test } from '@jest/globals';
import { happens, lifetimeMs } from './chance.ts';

const HOUR_MS = 3_600_000;
const names = Array.from({ length: 10_000 }, (_, index) => `general-${index}`);

/** Percent of the names for which it is so. */
const shareOf = (isSo: (name: string) => boolean): number => names.filter(isSo).length / 100;

describe('a failure of some percent of all machines', () => {
  test.each([0, 1, 25, 90, 100])('happens in about %d percent of them', (percent) => {
    const share = shareOf((name) => happens(name, percent));
    expect(Math.abs(share - percent)).toBeLessThan(percent === 0 || percent === 100 ? 1e-9 : 1.5);
  });

  test('happens to the same ones each time, and to all of them at a higher rate too', () => {
    const failing = names.filter((name) => happens(name, 10));
    expect(names.filter((name) => happens(name, 10))).toEqual(failing);
    expect(failing.every((name) => happens(name, 20))).toBe(true);
  });

  test('without a rate › happens to none', () => expect(names.some((name) => happens(name))).toBe(false));
});

describe('machines that vanish at some percent an hour', () => {
  test.each([
    [20, 1, 20],
    [20, 3, 48.8],
    [100, 1, 100],
  ])('at %d percent › after %d hours %d percent are gone', (percentPerHour, hours, gone) => {
    const share = shareOf((name) => lifetimeMs(name, percentPerHour) <= hours * HOUR_MS);
    expect(Math.abs(share - gone)).toBeLessThan(1.5);
  });

  test('at none › live forever', () => expect(lifetimeMs('general-1', 0)).toBe(Number.POSITIVE_INFINITY));
});
