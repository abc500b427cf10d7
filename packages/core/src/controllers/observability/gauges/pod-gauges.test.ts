import { expect, test } from '@jest/globals';
import type { Node, Pod } from '../../../kube/index.ts';
import { recordingMetrics } from '../../fixtures/recording-metrics.ts';
import { PodSchedulingTimes } from '../metrics/lifetimes.ts';
import { aPod } from '../../../testing/objects.ts';
import { podGauges } from './pod-gauges.ts';

const noPlan = { plannedNodes: [], placements: new Map<string, readonly Pod[]>(), rejections: [], pricePerHour: 0 };
const createdAt = '2026-01-01T00:00:00Z';

const podWithStatus = (name: string, nodeName: string | undefined, status: NonNullable<Pod['status']>): Pod =>
  aPod(name, { metadata: { namespace: 'shop', creationTimestamp: createdAt }, spec: nodeName === undefined ? {} : { nodeName }, status });

const node: Node = {
  metadata: {
    name: 'n',
    labels: {
      'karpenter.sh/nodepool': 'general',
      'karpenter.sh/capacity-type': 'spot',
      'topology.kubernetes.io/zone': 'z1',
      'kubernetes.io/arch': 'arm64',
      'node.kubernetes.io/instance-type': 'small',
    },
  },
};

const nowMs = Date.parse(createdAt) + 42_000;

const shownWith = (times: PodSchedulingTimes, ...pods: readonly Pod[]) => {
  const { metrics, read } = recordingMetrics();
  podGauges(metrics, { pods: () => pods, nodes: () => [node], nowMs: () => nowMs, times });
  return read;
};

const shownFor = (...pods: readonly Pod[]) => shownWith(new PodSchedulingTimes(), ...pods);

test('a pod that runs is shown with where it runs, on what, and whose it is', () => {
  const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } as const;
  const owned = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-5d', uid: 'u' };
  const pod = podWithStatus('web', 'n', ready);
  const [state] = shownFor({ ...pod, metadata: { ...pod.metadata, ownerReferences: [owned] } })('karpenter_pods_state');
  expect(state).toEqual({
    value: 1,
    labels: {
      ...{ name: 'web', namespace: 'shop', owner: '/apis/apps/v1/namespaces/shop/replicasets/web-5d', node: 'n', scheduled: 'true' },
      ...{ nodepool: 'general', zone: 'z1', arch: 'arm64', capacity_type: 'spot', instance_type: 'small' },
      ...{ phase: 'Running', ready: 'true', managed: 'true' },
    },
  });
});

test('a pod that waits is shown without a node', () => {
  const [state] = shownFor(podWithStatus('web', undefined, { phase: 'Pending' }))('karpenter_pods_state');
  expect(state?.labels).toMatchObject({
    owner: '',
    node: '',
    scheduled: 'false',
    zone: '',
    phase: 'Pending',
    ready: 'false',
    managed: 'false',
  });
});

test.each<[string, Pod, { readonly unbound: readonly number[]; readonly unstarted: readonly number[] }]>([
  ['for a node', podWithStatus('web', undefined, { phase: 'Pending' }), { unbound: [42], unstarted: [42] }],
  ['for its containers', podWithStatus('web', 'n', { phase: 'Pending' }), { unbound: [], unstarted: [42] }],
  ['for nothing, since it runs', podWithStatus('web', 'n', { phase: 'Running' }), { unbound: [], unstarted: [] }],
  [
    'for nothing, since it was never placed and is over',
    podWithStatus('web', undefined, { phase: 'Failed' }),
    { unbound: [], unstarted: [] },
  ],
])('a pod waits %s', (_, pod, { unbound, unstarted }) => {
  const read = shownFor(pod);
  expect(read('karpenter_pods_unbound_time_seconds').map(({ value }) => value)).toEqual(unbound);
  expect(read('karpenter_pods_unstarted_time_seconds').map(({ value }) => value)).toEqual(unstarted);
});

interface Wait {
  readonly pod: Pod;
  readonly happen?: (times: PodSchedulingTimes, pod: Pod) => void;
  /** Undecided, unbound, unstarted. */
  readonly shows: readonly (readonly number[])[];
}

const pending = podWithStatus('web', undefined, { phase: 'Pending' });
const recordPlacement = (times: PodSchedulingTimes): void =>
  void times.decide({ ...noPlan, placements: new Map([['n', [pending]]]) }, nowMs - 5000);

test.each<[string, Wait]>([
  ['nobody saw wait', { pod: pending, shows: [[], [], []] }],
  ['no plan has decided on', { pod: pending, happen: (times, pod) => times.see(pod, nowMs - 7000), shows: [[7], [], []] }],
  ['a plan has a place for', { pod: pending, happen: recordPlacement, shows: [[], [5], [5]] }],
  [
    'is bound, and does not run yet',
    { pod: podWithStatus('web', 'n', { phase: 'Pending' }), happen: recordPlacement, shows: [[], [], [5]] },
  ],
])('a pod that %s has waited since then', (_, { pod, happen, shows }) => {
  const times = new PodSchedulingTimes();
  happen?.(times, pod);
  const read = shownWith(times, pod);
  const values = (name: string): readonly number[] => read(`karpenter_pods_provisioning_${name}_time_seconds`).map(({ value }) => value);
  expect(['scheduling_undecided', 'unbound', 'unstarted'].map(values)).toEqual(shows);
});
