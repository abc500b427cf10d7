import { describe, expect, test } from '@jest/globals';
import type { PodPreference } from '../classes/pod-preferences.ts';
import type { PodClass } from '../classes/pod-class.ts';
import { RelaxedTally } from './relaxed-tally.ts';
import { relaxesMore } from './relaxed-weights.ts';
import type { Relaxed } from './relaxed-weights.ts';

const relaxed = (...counts: readonly (readonly [number, number])[]): Relaxed => new Map(counts);

describe('of two plans, more is relaxed in the one', () => {
  test.each<[string, readonly [Relaxed, Relaxed], boolean]>([
    ['that lacks more of one weight', [relaxed([10, 2]), relaxed([10, 1])], true],
    ['not where it lacks as many', [relaxed([10, 2]), relaxed([10, 2])], false],
    ['not where it lacks fewer', [relaxed([10, 1]), relaxed([10, 2])], false],
    ['that lacks a heavier one, however many light ones the other lacks', [relaxed([11, 1]), relaxed([10, 99])], true],
    ['not where only the other lacks a heavier one', [relaxed([10, 99]), relaxed([11, 1])], false],
    ['that lacks more of the heaviest weight in which they differ', [relaxed([50, 1], [9, 2]), relaxed([50, 1], [9, 1], [8, 7])], true],
    ['that lacks something where the other lacks nothing', [relaxed([1, 1]), relaxed()], true],
    ['not where neither lacks anything', [relaxed(), relaxed()], false],
  ])('%s', (_, [one, other], expected) => expect(relaxesMore(one, other)).toBe(expected));
});

describe('the tally of preferences that pods are placed without', () => {
  const classWith = (count: number): PodClass =>
    ({ preferences: Array.from({ length: count }, () => ({}) as PodPreference) }) as Partial<PodClass> as PodClass;

  test('counts preference by preference, and what those cost that were too dear', () => {
    const [tally, web] = [new RelaxedTally(), classWith(2)];
    tally.add(web, [{ preference: 1 }]);
    tally.add(web, [{ preference: 1, costPerHour: 0.5 }, { preference: 0 }]);
    tally.add(web, [{ preference: 1, costPerHour: 0.25 }]);
    expect(tally.of(web)).toEqual([
      { podCount: 1, pricedCount: 0, costPerHour: 0 },
      { podCount: 3, pricedCount: 2, costPerHour: 0.75 },
    ]);
  });

  test('knows nothing of a class that got all of them, and each class apart', () => {
    const [tally, web, job] = [new RelaxedTally(), classWith(1), classWith(1)];
    tally.add(web, []);
    tally.add(job, [{ preference: 0 }]);
    expect([tally.of(web), tally.of(job)?.length]).toEqual([undefined, 1]);
  });
});
