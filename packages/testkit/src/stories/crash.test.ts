import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { aStoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';
import { isInPhaseRunning } from './running-pods.ts';

jest.setTimeout(300_000);
const signal = new AbortController().signal;

describe('a controller that dies', () => {
  test('at any moments of a scale-up, its successor ends up with the same cluster: no machine twice, none left over', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 6_000 }), { minLength: 1, maxLength: 4 }), async (lives) => {
        await using story = await aStoryCluster();
        await story.create(aStoryPool({ limits: { cpu: '1000' } }), aStoryDeployment(12));
        for (const life of lives) {
          await story.pass(life);
          await story.kill();
          story.start();
        }
        await story.until('twelve pods run', async () => (await story.pods()).filter(isInPhaseRunning).length === 12);
        const machines = await story.cloud.list({ signal });
        expect(new Set(machines.map(({ claimName }) => claimName)).size).toBe(machines.length);
        expect(machines.reduce((cpus, { capacity }) => cpus + Number(capacity['cpu']), 0)).toBeLessThanOrEqual(24);
        expect(await story.claims()).toHaveLength(machines.length);
        expect(await story.nodes()).toHaveLength(machines.length);

        await story.scale('inflate', 0);
        await story.until('nothing is left', async () => (await story.nodes()).length + (await story.claims()).length === 0);
        expect(await story.cloud.list({ signal })).toHaveLength(0);
      }),
      { numRuns: 8 },
    );
  });
});
