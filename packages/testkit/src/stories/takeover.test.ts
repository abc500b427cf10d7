import { describe, expect, jest, test } from '@jest/globals';
import type { NodeClaim } from '@karpenter/core';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';
import { runningPodCount, providerIdsOf } from './running-pods.ts';

jest.setTimeout(300_000);

const MINUTE = 60_000;

/** As the original writes them: a number by a rule that is not ours, and the rule's version. */
const THEIR_HASH = { 'karpenter.sh/nodepool-hash': '12389563410219578343', 'karpenter.sh/nodepool-hash-version': 'v3' };
/** What the original does not write. */
const OURS = { 'karpenter.sh/planned-pods': null };
const hashOf = ({ metadata }: { readonly metadata: NodeClaim['metadata'] }): string =>
  metadata.annotations?.['karpenter.sh/nodepool-hash'] ?? '';

interface DeploymentSpec {
  readonly template?: { readonly spec?: object };
}

/** The pods of a deployment kept apart. */
const withConstraint = (spec: DeploymentSpec, constraint: object): DeploymentSpec => ({
  ...spec,
  template: { ...spec.template, spec: { ...spec.template?.spec, topologySpreadConstraints: [constraint] } },
});

/** A cluster with two nodes that run what they are for, its objects as the original left them, and nobody in charge. */
const aClusterOfTheOriginal = async (): Promise<StoryCluster> => {
  const story = await aStoryCluster();
  const spread = {
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'inflate' } },
  };
  const deployment = aStoryDeployment(2);
  const inflate = { ...deployment, spec: withConstraint(deployment.spec, spread) };
  await story.create(aStoryPool(), inflate);
  await story.until('two pods run', async () => (await runningPodCount(story)) === 2);
  await story.until(
    'two nodes are initialized',
    async () => (await story.nodes()).filter(({ metadata }) => metadata.labels?.['karpenter.sh/initialized'] === 'true').length === 2,
  );
  await story.kill();
  const annotations = { ...THEIR_HASH, ...OURS };
  // The label that names the NodeClass came late to the original: objects that are older have none.
  const labels = { 'karpenter.simulated.test/simulatednodeclass': null };
  for (const { metadata } of await story.claims()) {
    await story.kube.patch('NodeClaim', { name: metadata.name }, { type: 'merge', body: { metadata: { annotations, labels } } });
    await story.kube.patch('Node', { name: metadata.name }, { type: 'merge', body: { metadata: { annotations, labels } } });
  }
  await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: { metadata: { annotations: THEIR_HASH } } });
  return story;
};

describe('a cluster that the original ran', () => {
  test('is taken over without replacing a node: hashes of another version are not compared, and get ours', async () => {
    await using story = await aClusterOfTheOriginal();
    const before = await providerIdsOf(story);
    story.decisions.length = 0;
    story.start();
    await story.pass(20 * MINUTE);
    expect(await providerIdsOf(story)).toEqual(before);
    expect(await runningPodCount(story)).toBe(2);
    expect(
      story.decisions.filter(({ kind }) => kind === 'claim-disrupted' || kind === 'node-claim-created' || kind === 'pod-evicted'),
    ).toEqual([]);

    const [pool, claims, nodes] = [await story.pool('general'), await story.claims(), await story.nodes()];
    expect(pool?.metadata.annotations?.['karpenter.sh/nodepool-hash-version']).toBe('karpenter-ts-v1');
    expect(claims.map(hashOf)).toEqual(claims.map(() => pool && hashOf(pool)));
    for (const { metadata } of [...claims, ...nodes])
      expect(metadata.labels).toHaveProperty(['karpenter.simulated.test/simulatednodeclass'], 'default');
  });

  test('goes on as usual: from then on a change of the template is drift', async () => {
    await using story = await aClusterOfTheOriginal();
    const before = await providerIdsOf(story);
    story.start();
    await story.pass(5 * MINUTE);
    const body = { spec: { template: { metadata: { labels: { team: 'a' } } } } };
    await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body });
    await story.until(
      'both nodes are new',
      async () => (await providerIdsOf(story)).every((machine) => !before.includes(machine)) && (await runningPodCount(story)) === 2,
      60 * MINUTE,
    );
  });

  test('keeps its drift: a node that the original found drifted is still replaced', async () => {
    await using story = await aClusterOfTheOriginal();
    const before = await providerIdsOf(story);
    const [first] = await story.claims();
    const drifted = {
      type: 'Drifted',
      status: 'True',
      reason: 'NodePoolDrifted',
      message: 'NodePoolDrifted',
      lastTransitionTime: '2026-06-01T00:05:00Z',
    };
    const conditions = [...(first?.status?.conditions ?? []), drifted];
    const older = { 'karpenter.sh/nodepool-hash': '4410367012358104339' };
    await story.kube.patch(
      'NodeClaim',
      { name: first?.metadata.name ?? '' },
      { type: 'merge', body: { metadata: { annotations: older } } },
    );
    await story.kube.patchStatus('NodeClaim', { name: first?.metadata.name ?? '' }, { type: 'merge', body: { status: { conditions } } });
    story.start();
    await story.until(
      'one of the two is new',
      async () => {
        const now = await providerIdsOf(story);
        return now.length === 2 && now.filter((machine) => before.includes(machine)).length === 1 && (await runningPodCount(story)) === 2;
      },
      60 * MINUTE,
    );
  });
});
