import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '@karpenter/core';
import type { KubeObject } from '@karpenter/runtime';
import { ClusterObserver } from './cluster-observer.ts';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';

const aPod: KubeObject & { readonly spec: object } = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'default' } },
  spec: { containers: [{ name: 'main', image: 'pause' }] },
};

const aStoredClaim = (name: string, annotations: Readonly<Record<string, string>>): NodeClaim & KubeObject => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name, annotations },
  spec: { requirements: [], nodeClassRef: { group: 'karpenter.simulated.test', kind: 'SimulatedNodeClass', name: 'default' } },
});

const aStoredNode = (labels: Readonly<Record<string, string>>): KubeObject & { readonly spec: object } => ({
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'first', labels } },
  spec: { providerID: 'simulated:///first' },
});

/** A claim whose machine has become a node. */
const createFirst = (
  { local }: StoryCluster,
  annotations: Readonly<Record<string, string>>,
  node: ReturnType<typeof aStoredNode>,
): void => {
  const first = local.create(aStoredClaim('first', annotations));
  local.updateStatus({ ...first, status: { providerID: 'simulated:///first' } });
  local.create(node);
};

/** A cluster in which nobody but the test writes. */
const aQuietCluster = async () => {
  const story = await aStoryCluster();
  await story.kill();
  const { uid = '' } = story.local.create(aPod).metadata;
  return { story, forThePod: { 'karpenter.sh/planned-pods': uid } };
};

describe('a second claim for a pod that waits', () => {
  test.each([
    ['is reported as long as the node of the first is closed', {}, ['first and second are for one pod']],
    ['is not reported once others may have taken the room of the first', { 'karpenter.sh/initialized': 'true' }, []],
  ])('%s', async (_, labels, violations) => {
    const { story, forThePod } = await aQuietCluster();
    await using _story = story;
    using observer = new ClusterObserver(story);
    createFirst(story, forThePod, aStoredNode(labels));
    story.local.create(aStoredClaim('second', forThePod));
    expect([...observer.violations]).toEqual(violations);
  });

  test('is reported when both are for the replacement of one node, whatever their nodes say', async () => {
    const { story } = await aQuietCluster();
    await using _story = story;
    using observer = new ClusterObserver(story);
    const replacing = (id: string) => ({ 'karpenter.sh/replaces': JSON.stringify({ id, candidates: ['old'] }) });
    createFirst(story, replacing('1'), aStoredNode({ 'karpenter.sh/initialized': 'true' }));
    story.local.create(aStoredClaim('second', replacing('2')));
    expect([...observer.violations]).toEqual(['first and second replace one node']);
  });
});
