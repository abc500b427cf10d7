import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { PlacementScore } from '../arm/arm-api.ts';
import { ArmError } from '../arm/arm-error.ts';
import { SpotScores } from './spot-scores.ts';

const { signal } = new AbortController();
const MINUTE = 60_000;

/** `{ a: 'High Low' }`: the scores of size `a` in zones 1 and 2. Undefined: Azure refuses to say. */
const scoresOf = (first: Readonly<Record<string, string>> | undefined) => {
  const clock = fakeClock();
  const azure = { scores: first, calls: [] as string[] };
  const warnings: string[] = [];
  const spotPlacementScores = (sizes: readonly string[]): Promise<readonly PlacementScore[]> => {
    azure.calls.push(sizes.join());
    if (azure.scores === undefined) return Promise.reject(new ArmError('no', { code: 'forbidden', status: 403, cause: undefined }));
    return Promise.resolve(
      Object.entries(azure.scores).flatMap(([size, text]) =>
        text.split(' ').map((score, index) => ({ size, zone: String(index + 1), score: score as PlacementScore['score'] })),
      ),
    );
  };
  const scores = new SpotScores({ arm: { spotPlacementScores }, clock, logger: { warn: (text) => void warnings.push(text) } });
  return { azure, clock, scores, warnings };
};

describe('placement scores of spot sizes', () => {
  test('weigh a price by the zone; without a zone the best one counts, and without a score the price alone', async () => {
    const { scores } = scoresOf({ a: 'Low Medium' });
    await scores.learn(['a', 'b'], signal);
    const factors = ['eastus-1', 'eastus-2', 'eastus-3', '0'].map((zone) => scores.factorOf('a', zone));
    expect(factors).toEqual([2, 1.25, 1.25, 1.25]);
    expect(scores.factorOf('b', 'eastus-1')).toBe(1);
  });

  test('are read once for launches at the same time, for five sizes at most, and again after a quarter of an hour', async () => {
    const { scores, azure, clock } = scoresOf({ a: 'High' });
    await Promise.all([scores.learn(['a', 'b'], signal), scores.learn(['b', 'a'], signal), scores.learn(['a', 'c'], signal)]);
    expect(azure.calls).toEqual(['a,b', 'c']);
    await clock.advance(15 * MINUTE - 1);
    await scores.learn(['a', 'b'], signal);
    expect(azure.calls).toHaveLength(2);
    await clock.advance(1);
    await scores.learn(['a', 'b', 'c', 'd', 'e', 'f'], signal);
    expect(azure.calls.at(-1)).toBe('a,b,c,d,e');
  });

  test('that cannot be read stop no launch: a warning says so, and the next call comes a quarter of an hour later', async () => {
    const { scores, azure, warnings } = scoresOf(undefined);
    for (let round = 0; round < 3; round++) await scores.learn(['a'], signal);
    expect([azure.calls.length, warnings.length, scores.factorOf('a', 'eastus-1')]).toEqual([1, 1, 1]);
  });
});
