import { describe, expect, test } from '@jest/globals';
import { compared, benchTable } from './comparison.ts';
import type { RunFigures } from './run-scenario.ts';
import { benchScenarios } from './scenarios.ts';

const figures = (parts: Partial<RunFigures>): RunFigures => ({
  ...{ secondsBound: 60, secondsSettled: 90, mostNodes: 10, nodes: 5, launches: 10, evictions: 0, commands: 2, abandoned: 0 },
  ...{ pricePerHour: 1, dollars: 1, runSeconds: 3600, cpuSeconds: 10, idleMib: 60, mostMib: 100, requests: 1000, unfinished: 0 },
  ...parts,
});

describe('two runs of a scenario', () => {
  const comparisons = compared('ramp', figures({ dollars: 0.9, launches: 20, evictions: 3 }), figures({}));
  const row = (figure: string): string =>
    benchTable(comparisons)
      .split('\n')
      .find((line) => line.includes(figure)) ?? '';

  test('show a bar that is kept', () => expect(row('dollars')).toMatch(/0\.9 +1 +0\.9 +<= 0\.95$/));
  test('show a bar that is missed', () => expect(row('machines launched')).toMatch(/20 +10 +2 +MISSED <= 1\.1$/));
  test('count dollars over the longer run', () => {
    const [dollars] = compared('ramp', figures({ runSeconds: 1800, dollars: 1 }), figures({})).filter(({ figure }) =>
      figure.startsWith('dollars'),
    );
    expect(dollars).toMatchObject({ ours: 1.5, original: 1 });
  });
  test('have no ratio where the original has nothing', () =>
    expect(comparisons.find(({ figure }) => figure === 'evictions')).toEqual({
      scenario: 'ramp',
      figure: 'evictions',
      ours: 3,
      original: 0,
      bar: 1.1,
    }));
});

describe('the scenarios', () => {
  test('have a name of their own each', () => expect(new Set(benchScenarios.map(({ name }) => name)).size).toBe(benchScenarios.length));
  test('end settled, so that prices at rest can be compared', () => {
    for (const { steps } of benchScenarios) expect(steps.at(-1)?.until.kind).toBe('settled');
  });
});
