import { describe, expect, test } from '@jest/globals';
import { benchTable, compareScenario } from './comparison.ts';
import type { RunFigures } from './run-scenario.ts';
import { benchScenarios } from './scenarios.ts';

const figures = (parts: Partial<RunFigures>): RunFigures => ({
  ...{ secondsBound: 60, secondsSettled: 90, mostNodes: 10, nodes: 5, launches: 10, evictions: 0, commands: 2, abandoned: 0 },
  ...{ pricePerHour: 1, dollars: 1, cpuSeconds: 10, idleMib: 60, mostMib: 100, requests: 1000, unfinished: 0 },
  ...{ steps: [], costs: [{ seconds: 3600, dollars: 1, pricePerHour: 1 }] },
  ...parts,
});

const comparisonsOf = (ours: readonly Partial<RunFigures>[], original: readonly Partial<RunFigures>[] = [{}]) =>
  compareScenario('ramp', { ours: ours.map(figures), original: original.map(figures) });

const rowIn = (comparisons: ReturnType<typeof compareScenario>, figure: string): string =>
  benchTable(comparisons)
    .split('\n')
    .find((line) => line.includes(figure)) ?? '';

describe('a pair of runs', () => {
  const comparisons = comparisonsOf([{ costs: [{ seconds: 3600, dollars: 0.9, pricePerHour: 1 }], launches: 20, evictions: 3 }]);
  const row = (figure: string): string => rowIn(comparisons, figure);

  test('a bar that is kept › shown without a verdict', () => expect(row('dollars')).toMatch(/0\.9 +1 +0\.9 +<= 0\.95$/));
  test('a bar that is missed › MISSED', () => expect(row('machines launched')).toMatch(/20 +10 +2 +MISSED <= 1\.1$/));
  test('nothing on the side of the original, something on ours › no ratio, and MISSED', () =>
    expect(row('evictions')).toMatch(/evictions +3 +0 +MISSED <= 1\.1$/));
  test('nothing on either side › no ratio, and kept', () => expect(rowIn(comparisonsOf([{}]), 'evictions')).toMatch(/0 +0 +<= 1\.1$/));
  test('a step of one run is shorter › its dollars go on at the price at its end', () => {
    const dear = { seconds: 3600, dollars: 10, pricePerHour: 10 };
    const ours = [{ seconds: 1800, dollars: 1, pricePerHour: 1 }, dear];
    const original = [{ seconds: 3600, dollars: 2, pricePerHour: 1 }, dear];
    const [dollars] = comparisonsOf([{ costs: ours }], [{ costs: original }]).filter(({ figure }) => figure.startsWith('dollars'));
    expect([dollars?.ours.median, dollars?.original.median]).toEqual([11.5, 12]);
  });
  test('every figure with a bar has the one that the comparison was begun for', () =>
    expect(Object.fromEntries(comparisons.flatMap(({ figure, bar }) => (bar === undefined ? [] : [[figure, bar]])))).toEqual({
      'seconds until all are bound': 1,
      'seconds until settled': 1,
      'machines launched': 1.1,
      evictions: 1.1,
      'dollars over the run': 0.95,
      'processor seconds': 1,
      'MiB resident, idle': 1.2,
      'MiB resident, at most': 1.2,
      'requests to the API server': 1,
    }));
});

describe('several runs', () => {
  test('medians are compared, and the range is shown', () =>
    expect(rowIn(comparisonsOf([{ launches: 9 }, { launches: 40 }, { launches: 10 }], [{}, {}, {}]), 'machines launched')).toMatch(
      /10 \(9-40\) +10 +1 +<= 1\.1$/,
    ));
  test('of an even number › the mean of the middle two', () =>
    expect(rowIn(comparisonsOf([{ launches: 9 }, { launches: 12 }]), 'machines launched')).toMatch(/10\.5 \(9-12\)/));
});

describe('steps', () => {
  const step = (seconds: number, isFinished = true) => ({ kind: 'settled' as const, seconds, isFinished, mostNodes: 7 });
  test('several › each has its rows', () => {
    const comparisons = comparisonsOf([{ steps: [step(30), step(900, false)] }], [{ steps: [step(20), step(100)] }]);
    expect(rowIn(comparisons, 'step 2: seconds until settled')).toMatch(/900 +100 +9$/);
    expect(rowIn(comparisons, 'step 1: nodes at most')).toMatch(/7 +7 +1$/);
  });
  test('one › said by the totals', () => expect(rowIn(comparisonsOf([{ steps: [step(30)] }]), 'step 1')).toBe(''));
});

describe('the scenarios', () => {
  test('have a name of their own each', () => expect(new Set(benchScenarios.map(({ name }) => name)).size).toBe(benchScenarios.length));
  test('end settled, so that prices at rest can be compared', () => {
    for (const { steps } of benchScenarios) expect(steps.at(-1)?.until.kind).toBe('settled');
  });
});
