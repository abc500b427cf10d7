import { expect, jest, test } from '@jest/globals';
import type { Pod } from '@karpenter/core';
import type { KubeObject } from '@karpenter/runtime';
import { podGroupCrd } from './pod-group-crd.ts';
import { aStoppedStoryCluster, aStoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';
import { runningPodCount } from './running-pods.ts';

jest.setTimeout(300_000);

const A_MINUTE_MS = 60_000;

/** Pods of ten cores each that need three places together, or as many as a PodGroup says. */
const aGroup = (
  replicas: number,
  annotations: Readonly<Record<string, string>> = { 'karpenter.sh/pod-group-min-member': '3' },
  more: Pick<Pod['spec'], 'affinity'> = {},
) => {
  const { spec, ...rest } = aStoryDeployment(replicas);
  const metadata = {
    labels: { app: 'train', 'scheduling.x-k8s.io/pod-group': 'train' },
    annotations,
  };
  const containers = [{ name: 'main', image: 'pause', resources: { requests: { cpu: '10' } } }];
  const pod = { terminationGracePeriodSeconds: 0, containers, ...more };
  const selector = { matchLabels: { app: 'train' } };
  return { ...rest, metadata: { name: 'train', namespace: 'default' }, spec: { ...spec, selector, template: { metadata, spec: pod } } };
};

test('two pods of a group of three › get no node; with the third, all three run', async () => {
  await using story = await aStoryCluster();
  await story.create(aStoryPool(), aGroup(2));
  await story.pass(A_MINUTE_MS);
  expect([await story.claims(), await runningPodCount(story)]).toEqual([[], 0]);
  await story.scale('train', 3);
  await story.until('three pods run', async () => (await runningPodCount(story)) === 3);
});

/** A PodGroup `train` that needs so many. */
const aPodGroup = (minMember: number): KubeObject & { readonly spec: object } => ({
  ...{ apiVersion: 'scheduling.x-k8s.io/v1alpha1', kind: 'PodGroup', metadata: { name: 'train', namespace: 'default' } },
  spec: { minMember },
});

test('two pods of a PodGroup of three › get no node; once it asks for two, both run', async () => {
  await using story = await aStoppedStoryCluster();
  story.local.create(podGroupCrd);
  story.start();
  await story.create(aPodGroup(3), aStoryPool(), aGroup(2, {}));
  await story.pass(A_MINUTE_MS);
  expect([await story.claims(), await runningPodCount(story)]).toEqual([[], 0]);
  await story.kube.patch('PodGroup', { name: 'train', namespace: 'default' }, { type: 'merge', body: aPodGroup(2) });
  await story.until('two pods run', async () => (await runningPodCount(story)) === 2);
});

test('a group that the limit of its pool leaves no room for › gets no node, and an ordinary pod does', async () => {
  await using story = await aStoryCluster();
  await story.create(aStoryPool({ limits: { cpu: '24' } }), aGroup(3), aStoryDeployment(1));
  await story.pass(A_MINUTE_MS);
  const nodes = (await story.nodes()).map(({ status }) => Number(status?.capacity?.['cpu']));
  expect([await runningPodCount(story), nodes.length, (nodes[0] ?? 99) < 10]).toEqual([1, 1, true]);
});

/** All members in one zone. */
const together: Pick<Pod['spec'], 'affinity'> = {
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { app: 'train' } }, topologyKey: 'topology.kubernetes.io/zone' },
      ],
    },
  },
};

/** A cloud with one type, whose first zone sells two machines and is out of stock then. */
const aStoryWithTwoMachinesIn = async (zones: readonly string[]) => {
  const story = await aStoryCluster({}, [], [{ name: 'sim-16', cpu: 16, memoryGiB: 64, arch: 'amd64', zones, pricePerHour: 1 }]);
  story.cloud.faults.add({ fault: { kind: 'slow', byMs: 1 }, times: 2 });
  return { story, shortage: story.cloud.faults.add({ fault: { kind: 'insufficient-capacity' }, zone: 'sim-1' }) };
};

test('a zone that is out of stock after two machines for a group of three in one zone › these go, and all three run in the other zone', async () => {
  const { story, shortage } = await aStoryWithTwoMachinesIn(['sim-1', 'sim-2']);
  await using cluster = story;
  await cluster.create(aStoryPool(), aGroup(3, undefined, together));
  await cluster.until('three pods run', async () => (await runningPodCount(cluster)) === 3);
  await cluster.pass(A_MINUTE_MS);
  const zones = (await cluster.nodes()).map(({ metadata }) => metadata.labels?.['topology.kubernetes.io/zone']);
  expect(zones).toEqual(['sim-2', 'sim-2', 'sim-2']);
  shortage[Symbol.dispose]();
});

test('stock for two of a group of three › no machine stays and no pod runs; once there is stock, all three run', async () => {
  const { story, shortage } = await aStoryWithTwoMachinesIn(['sim-1']);
  await using cluster = story;
  await cluster.create(aStoryPool(), aGroup(3));
  await cluster.pass(2 * A_MINUTE_MS);
  expect([await cluster.claims(), await cluster.nodes(), await runningPodCount(cluster)]).toEqual([[], [], 0]);
  expect(cluster.decisions.filter((decision) => decision.kind === 'claim-disrupted').map(({ reason }) => reason)).toEqual([
    'insufficient_capacity',
    'incomplete_group',
    'incomplete_group',
  ]);
  shortage[Symbol.dispose]();
  await cluster.until('three pods run', async () => (await runningPodCount(cluster)) === 3);
});
