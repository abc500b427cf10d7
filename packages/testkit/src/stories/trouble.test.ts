import { describe, expect, jest, test } from '@jest/globals';
import type { Decision } from '@karpenter/core/internal';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';
import { runningPodCount } from './running-pods.ts';

jest.setTimeout(300_000);
const kindsOf = (decisions: readonly Decision[]): readonly string[] => decisions.map(({ kind }) => kind);
const signal = new AbortController().signal;

const failedLate = ({ decisions }: StoryCluster): number =>
  decisions.filter((decision) => decision.kind === 'launch-failed' && decision.reason === 'async_provisioning').length;

const whyPaused = async (story: StoryCluster): Promise<string | undefined> =>
  (await story.pool('general'))?.status?.conditions?.find(({ type }) => type === 'LaunchBackoff')?.message;

describe('when the cloud says no', () => {
  test('a type that is out of stock is skipped, and the pods get another one', async () => {
    await using story = await aStoryCluster();
    story.cloud.faults.add({ fault: { kind: 'insufficient-capacity' }, times: 1 });
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5);
    expect(story.decisions).toContainEqual(
      expect.objectContaining({ kind: 'launch-failed', reason: 'insufficient_capacity', willRetry: false }),
    );
    expect(kindsOf(story.decisions).filter((kind) => kind === 'node-claim-created')).toHaveLength(2);
    await story.until('the first claim is gone', async () => (await story.claims()).length === 1);
  });

  test('offerings that are refused are followed by the next within seconds, with the same claim', async () => {
    await using story = await aStoryCluster();
    story.cloud.faults.add({ fault: { kind: 'offering-unavailable' }, times: 3 });
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5, 30_000);
    expect(kindsOf(story.decisions).filter((kind) => kind === 'launch-failed')).toHaveLength(3);
    expect(kindsOf(story.decisions).filter((kind) => kind === 'node-claim-created')).toHaveLength(1);
  });

  test('a claim that is deleted before it is launched with its next offering is not launched, and leaves nothing', async () => {
    await using story = await aStoryCluster();
    using fault = story.cloud.faults.add({ fault: { kind: 'offering-unavailable' } });
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('an offering was refused', () => kindsOf(story.decisions).includes('launch-failed'));
    await story.scale('inflate', 0);
    const [claim] = await story.claims();
    await story.kube.delete('NodeClaim', { name: claim?.metadata.name ?? '' });
    fault[Symbol.dispose]();
    await story.until('no claim is left', async () => (await story.claims()).length === 0);
    await story.pass(60_000);
    expect(await story.cloud.list({ signal })).toEqual([]);
    expect(kindsOf(story.decisions)).not.toContain('launched');
  });

  test('a machine that was accepted and is sold out after that ends its claim, which says why, and the pods get another one at once', async () => {
    await using story = await aStoryCluster();
    story.cloud.faults.add({ fault: { kind: 'insufficient-capacity', laterMs: 2_000 }, times: 1 });
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5);
    expect(story.decisions).toContainEqual(expect.objectContaining({ kind: 'launch-failed', reason: 'async_provisioning' }));
    expect(kindsOf(story.decisions).filter((kind) => kind === 'node-claim-created')).toHaveLength(2);
    await story.until('the first machine is gone', async () => (await story.cloud.list({ signal })).length === 1);
    expect(await whyPaused(story)).toBeUndefined();
  });

  test('machines that fail each time when their nodes run pods already are requested more slowly, and the pool says why', async () => {
    await using story = await aStoryCluster();
    using fault = story.cloud.faults.add({ fault: { kind: 'failing', message: 'the script has exited with 50', laterMs: 60_000 } });
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5);
    await story.until('two machines have failed', () => failedLate(story) === 2);
    fault[Symbol.dispose]();
    await story.until('the pool says why', async () => (await whyPaused(story))?.includes('the script has exited with 50') === true);
    await story.until('five pods run again', async () => (await runningPodCount(story)) === 5);
    await story.pass(3_600_000);
    expect([await runningPodCount(story), await whyPaused(story), failedLate(story)]).toEqual([5, undefined, 2]);
  });

  test('a launch that fails for now is tried again with the same claim', async () => {
    await using story = await aStoryCluster();
    story.cloud.faults.add({ fault: { kind: 'failing', message: 'the service is having a bad day' }, times: 2 });
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5);
    expect(kindsOf(story.decisions).filter((kind) => kind === 'launch-failed')).toHaveLength(2);
    expect(kindsOf(story.decisions).filter((kind) => kind === 'node-claim-created')).toHaveLength(1);
  });

  test('a launch that hangs holds up nobody else, and is aborted after five minutes', async () => {
    await using story = await aStoryCluster();
    story.cloud.faults.add({ fault: { kind: 'slow', byMs: 3_600_000 }, times: 1 });
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('a claim waits', async () => (await story.claims()).length === 1);
    await story.create({ ...aStoryDeployment(3), metadata: { name: 'other', namespace: 'default' } });
    await story.until('the three others run', async () => (await runningPodCount(story)) >= 3, 120_000);
    await story.until('all eight run', async () => (await runningPodCount(story)) === 8, 900_000);
    expect(story.decisions).toContainEqual(expect.objectContaining({ kind: 'claim-disrupted', reason: 'launch_timeout' }));
  });

  test('a machine whose node never comes is deleted after a quarter of an hour, and replaced', async () => {
    await using story = await aStoryCluster();
    story.cloud.faults.add({ fault: { kind: 'lost' }, times: 1 });
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5, 1_800_000);
    expect(story.decisions).toContainEqual(expect.objectContaining({ kind: 'claim-disrupted', reason: 'registration_timeout' }));
    await story.until('one machine is left', async () => (await story.cloud.list({ signal })).length === 1);
  });

  test('a machine that vanishes is noticed, and its pods get another', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5);
    const [machine] = await story.cloud.list({ signal });
    story.cloud.loseMachine(machine?.providerId ?? '');
    await story.until(
      'five pods run on another machine',
      async () => {
        const [now] = await story.cloud.list({ signal });
        return now !== undefined && now.providerId !== machine?.providerId && (await runningPodCount(story)) === 5;
      },
      1_200_000,
    );
  });
});

describe('limits', () => {
  test('hold, and pods that do not fit under them get the reason as an event', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool({ limits: { cpu: '9' } }), aStoryDeployment(30));
    await story.pass(120_000);
    const cpus = (await story.cloud.list({ signal })).reduce((sum, { capacity }) => sum + Number(capacity['cpu']), 0);
    expect(cpus).toBeLessThanOrEqual(9);
    expect(await runningPodCount(story)).toBeGreaterThan(0);
    const podEvents = (await story.kube.list('Event', { namespace: 'default' })).items as readonly {
      readonly reason?: string;
      readonly message?: string;
    }[];
    expect(podEvents.some(({ reason, message }) => reason === 'FailedScheduling' && (message ?? '').includes('limit'))).toBe(true);
  });
});
