import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { crashPointsOf, everyNth, nameOfPoint } from './crash-points.ts';
import { crashScenarios } from './crash-scenarios.ts';
import { runCrashScenario } from './run-crash-scenario.ts';

/**
 * `CRASH_POINTS=all` tries every point (half an hour); otherwise one in so many, an odd number so that both sides come
 * up, and one of each scenario at least.
 */
const ONE_IN = process.env['CRASH_POINTS'] === 'all' ? 1 : 121;

jest.setTimeout(7_200_000);

const tally = { held: 0, tried: 0, all: 0 };
const tallies: string[] = [];
afterAll(() =>
  console.log(
    [...tallies, `crash points: ${tally.held} of ${tally.tried} points held (there are ${tally.all}; CRASH_POINTS=all tries them)`].join(
      '\n',
    ),
  ),
);

describe('a process that dies at any write, and one that comes after it', () => {
  test.each(crashScenarios)('$name comes to the same', async (scenario) => {
    const undisturbed = await runCrashScenario(scenario);
    expect(undisturbed.faults).toEqual([]);
    const points = crashPointsOf(undisturbed.writes);
    const tried = everyNth(points, Math.min(ONE_IN, points.length), crashScenarios.indexOf(scenario));
    const failed: string[] = [];
    for (const point of tried) {
      const course = await runCrashScenario(scenario, point);
      const faults = [
        ...course.faults,
        ...(course.claimsMade > undisturbed.claimsMade + (scenario.claimsInVain ?? 0)
          ? [`${course.claimsMade} claims were made instead of ${undisturbed.claimsMade}`]
          : []),
        ...(course.disturbedPods > undisturbed.disturbedPods
          ? [`${course.disturbedPods} pods were disturbed instead of ${undisturbed.disturbedPods}`]
          : []),
      ];
      if (faults.length > 0) failed.push(`${nameOfPoint(point)}: ${faults.join(', ')}`);
    }
    tallies.push(`${scenario.name}: ${tried.length - failed.length} of ${tried.length} points held, there are ${points.length}`);
    tally.held += tried.length - failed.length;
    tally.tried += tried.length;
    tally.all += points.length;
    expect(failed).toEqual([]);
  });
});
