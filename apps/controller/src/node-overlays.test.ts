import { describe, expect, jest, test } from '@jest/globals';
import type { Node } from '@karpenter/core';
import type { NodeOverlay } from '@karpenter/core/internal';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import { claimsOf, nodesOf } from './testing/clusters/cluster-census.ts';
import { aDeployment, aNodeClass, aPool, oneOf } from './testing/clusters/objects.ts';
import { making, storyMode } from './testing/stories/provision-mode.ts';
import { settled } from './testing/stories/story-ends.ts';
import { type Story, startStoryIn } from './testing/stories/story.ts';
import type { TestCluster } from './testing/clusters/test-cluster.ts';

jest.setTimeout(300_000);

const SIZE = 'node.kubernetes.io/instance-type';
const FUSES = 'smarter-devices/fuse';

const overlays: KindRef<NodeOverlay & ApiObject> = { kind: 'NodeOverlay', apiVersion: 'karpenter.sh/v1alpha1' };

const anOverlay = (name: string, size: string, what: Partial<NodeOverlay['spec']>): ApiObject => ({
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'NodeOverlay',
  metadata: { name },
  ...{ spec: { requirements: [oneOf(SIZE, size)], ...what } },
});

const variables = (cluster: TestCluster): Readonly<Record<string, string>> => ({
  ...making(storyMode.name)(cluster),
  FEATURE_GATES: 'NodeOverlay=true',
});

const isReady = ({ status }: Node | NodeOverlay): boolean =>
  status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;

const startWith = async (overlay: ApiObject, ...sizes: readonly string[]): Promise<Story> => {
  const story = await startStoryIn({ variables }, aNodeClass, aPool([oneOf(SIZE, ...sizes)]), overlay);
  await story.until('the overlay is in force', () => story.cluster.local.list(overlays).every(isReady));
  return story;
};

/** Nodes get their fuses, as by a device plugin. */
const plugIn = ({ cluster: { local } }: Story, node: string): void => {
  const fuses = { [FUSES]: '10' };
  const body = { status: { capacity: fuses, allocatable: fuses } };
  local.patch('Node', { name: node }, { type: 'merge', subresource: 'status', body });
};

const sizesOf = ({ cluster }: Story): readonly string[] => cluster.arm.vms().map(({ size }) => size);

const fused = { resources: { requests: { cpu: '1', [FUSES]: '1' }, limits: { [FUSES]: '1' } } };

describe('under a NodeOverlay, machines', () => {
  test('come for pods that ask for what only the overlay says they have', async () => {
    await using story = await startWith(
      anOverlay('fuses', 'Standard_D4s_v3', { capacity: { [FUSES]: '10' } }),
      ...['Standard_D2s_v3', 'Standard_D4s_v3'],
    );
    story.create(aDeployment({ replicas: 2, podSpec: { containers: [{ name: 'main', image: 'pause', ...fused }] } }));
    await story.until('the node is ready', () => nodesOf(story.cluster).some(isReady));
    // Before the node has any: the claim takes them from the overlay when its machine is made, as in the original.
    expect(claimsOf(story.cluster).map(({ status }) => status?.capacity?.[FUSES])).toEqual(['10']);
    for (const { metadata } of nodesOf(story.cluster)) plugIn(story, metadata.name);
    await settled(story, 2, 1);
    expect(sizesOf(story)).toEqual(['Standard_D4s_v3']);
    expect(story.reported('NodeClaim', 'InsufficientCapacityError')).toEqual([]);
  });

  test('are those that its price makes the cheapest, from the first on', async () => {
    await using story = await startWith(
      anOverlay('agreed', 'Standard_D8s_v3', { price: '0.01' }),
      ...['Standard_D4s_v3', 'Standard_D8s_v3'],
    );
    story.create(aDeployment({ replicas: 1, cpu: '2' }));
    await story.until('the pod runs', () => story.census().running === 1);
    const bought = claimsOf(story.cluster).map(({ metadata }) => metadata.name);
    await story.pass(300_000);
    expect(sizesOf(story)).toEqual(['Standard_D8s_v3']);
    expect(claimsOf(story.cluster).map(({ metadata }) => metadata.name)).toEqual(bought);
  });
});
