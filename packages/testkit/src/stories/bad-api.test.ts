import { describe, expect, jest, test } from '@jest/globals';
import { aStoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';
import { isInPhaseRunning } from './running-pods.ts';

jest.setTimeout(300_000);
const signal = new AbortController().signal;

describe('an API server that has a bad day', () => {
  test.each([
    ['refuses every third write with an error of its own', { kind: 'refuse', code: 500 }],
    ['answers every third write with a conflict', { kind: 'refuse', code: 409 }],
    ['has too much to do', { kind: 'refuse', code: 429, retryAfterSeconds: 1 }],
  ] as const)('%s: the pods run all the same, on no more machines than they need', async (_, effect) => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aStoryDeployment(12));
    const fault = story.faults.inject({ effect, verbs: ['create', 'patch', 'delete'], kinds: ['NodeClaim', 'Node'], probability: 0.3 });
    await story.until('twelve pods run', async () => (await story.pods()).filter(isInPhaseRunning).length === 12);
    fault[Symbol.dispose]();
    const machines = await story.cloud.list({ signal });
    expect(machines.reduce((cpus, { capacity }) => cpus + Number(capacity['cpu']), 0)).toBeLessThanOrEqual(24);
    expect(await story.claims()).toHaveLength(machines.length);
  });

  test('whose watches fall silent for a minute costs time, not machines', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('a claim is there', async () => (await story.claims()).length === 1);
    const silence = story.faults.staleWatches(['NodeClaim', 'Node', 'Pod']);
    await story.pass(60_000);
    silence[Symbol.dispose]();
    await story.until('five pods run', async () => (await story.pods()).filter(isInPhaseRunning).length === 5);
    expect(await story.cloud.list({ signal })).toHaveLength(1);
  });
});
