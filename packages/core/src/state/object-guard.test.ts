import { describe, expect, test } from '@jest/globals';
import { fakeClock, KubeError } from '@karpenter/runtime';
import type { CapacityBuffer, NodePool } from '../apis/index.ts';
import { defaultLabelCatalog } from '../apis/index.ts';
import { CloudProviderError } from '../cloudprovider/index.ts';
import type { Node } from '../kube/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import type { Decision } from '../ports/index.ts';
import { aKubeNode, aNodePool, aPodRequesting } from '../testing/objects.ts';
import { ClusterState } from './cluster-state.ts';
import { ObjectGuard } from './object-guard.ts';

const named = (reported: readonly Decision[]): readonly string[] =>
  reported.flatMap((each) => (each.kind === 'quarantined' ? each.subjects.map(({ kind, name }) => `${kind} ${name}`) : []));

const watchedState = () => {
  const cluster = new FakeCluster();
  const reported: Decision[] = [];
  const bugs: string[] = [];
  const state = new ClusterState({
    caches: cluster.caches,
    provider: {
      name: 'test',
      getSupportedNodeClasses: () => [{ group: 'test.dev', version: 'v1', kind: 'TestNodeClass', plural: 'testnodeclasses' }],
      labelCatalog: defaultLabelCatalog,
      repairPolicies: [],
      create: () => Promise.reject(new CloudProviderError('insufficient-capacity', 'no')),
      delete: () => Promise.resolve('gone'),
      get: () => Promise.resolve(undefined),
      list: () => Promise.resolve([]),
      getInstanceTypes: () => Promise.resolve([]),
      isDrifted: () => Promise.resolve(undefined),
    },
    clock: fakeClock(Date.UTC(2026, 0, 1)),
    reporter: { report: (decision) => void reported.push(decision) },
    nominationMs: 20_000,
    onBug: (_, where) => void bugs.push(where),
  });
  return { cluster, reported, bugs, state };
};

/** The object, whose field throws when it is read. */
const broken = <T extends object>(object: T, field: keyof T): T =>
  Object.defineProperty({ ...object }, field, {
    enumerable: true,
    get: () => {
      throw new TypeError('no such thing');
    },
  });

const bufferNamed = (name: string): CapacityBuffer => ({
  ...{ apiVersion: 'autoscaling.x-k8s.io/v1beta1', kind: 'CapacityBuffer', metadata: { namespace: 'shop', name, uid: name } },
  spec: { podTemplateRef: { name: 'web' }, replicas: 2 },
});

describe('when one object triggers a bug while a snapshot is made', () => {
  test('as a NodePool › it is left out by name, and the others are there', async () => {
    const { cluster, reported, bugs, state } = watchedState();
    for (const name of ['a', 'odd', 'b']) cluster.seed('NodePool', aNodePool(name));
    const odd: NodePool = cluster.kind('NodePool').get({ name: 'odd' });
    cluster.kind('NodePool').put({ ...odd, spec: {} } as never);
    expect(state.snapshot(0).nodePools.map(({ nodePool }) => nodePool.metadata.name)).toEqual(['a', 'b']);
    expect([named(reported), bugs]).toEqual([['NodePool odd'], ['state']]);
    await state.refreshCatalogs(new AbortController().signal);
  });

  test('as a CapacityBuffer › it is left out by name, and the others are there', () => {
    const { cluster, reported, state } = watchedState();
    for (const name of ['a', 'odd', 'b']) {
      const buffer = bufferNamed(name);
      cluster.seed('CapacityBuffer', name === 'odd' ? { ...buffer, spec: broken(buffer.spec, 'replicas') } : buffer);
      state.buffers.resolve(buffer, { source: { template: { spec: { containers: [] } } } });
    }
    expect(state.snapshot(0).buffers?.map(({ buffer }) => buffer.metadata.name)).toEqual(['a', 'b']);
    expect(named(reported)).toEqual(['CapacityBuffer odd']);
  });

  test('as a PodGroup › it is left out by name, and the others count', () => {
    const { cluster, reported, state } = watchedState();
    cluster.seed('PodGroup', { metadata: { namespace: 'shop', name: 'a' }, spec: { minMember: 3 } });
    cluster.kind('PodGroup').put({ metadata: { namespace: 'shop', name: 'odd' }, spec: null } as never);
    expect([...(state.snapshot(0).podGroups ?? [])]).toEqual([['shop/a', { minMember: 3, succeeded: 0 }]]);
    expect(named(reported)).toEqual(['PodGroup odd']);
  });

  test('as a Node › it is left out by name until it changes, and the others are there', () => {
    const { cluster, reported, bugs, state } = watchedState();
    const odd = broken<Node>(aKubeNode('odd'), 'status');
    cluster.seed('Node', aKubeNode('a'));
    cluster.kind('Node').put(odd as never);
    expect(state.views(0).map(({ name }) => name)).toEqual(['a']);
    expect([named(reported), bugs]).toEqual([['Node odd'], ['state']]);
    cluster.seed('Node', aKubeNode('odd'));
    expect(state.views(0).map(({ name }) => name)).toEqual(['a', 'odd']);
  });
});

test('when a listener throws at a pod that waits › the pod is named, and the other listeners hear of it', () => {
  const { cluster, reported, state } = watchedState();
  const heard: string[] = [];
  state.onPodTransition(() => {
    throw new TypeError('no such thing');
  });
  state.onPodTransition(({ pod }) => void heard.push(pod.metadata.name));
  const unschedulable = { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] };
  cluster.seed('Pod', { ...aPodRequesting({ cpu: '1' }, 'web'), status: unschedulable });
  expect([heard, named(reported)]).toEqual([['web'], ['Pod web']]);
});

describe('work on one object', () => {
  const guard = (reported: Decision[]) => new ObjectGuard({ reporter: { report: (decision) => void reported.push(decision) } });
  const { signal } = new AbortController();
  const work = { kind: 'Pod', object: { metadata: { namespace: 'shop', name: 'web', uid: 'u' } }, signal } as const;

  test('that throws a bug › the object is named with its kind', async () => {
    const reported: Decision[] = [];
    const error = new TypeError('no such thing');
    await expect(guard(reported).work(work, () => Promise.reject(error))).resolves.toBeUndefined();
    const subject = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web', uid: 'u' };
    expect(reported).toEqual([{ kind: 'quarantined', subjects: [subject], error }]);
  });

  test('that fails › the failure is thrown', async () => {
    const reported: Decision[] = [];
    const error = new KubeError('no answer', { code: 'timeout', cause: undefined });
    await expect(guard(reported).work(work, () => Promise.reject(error))).rejects.toThrow(error);
    expect(reported).toEqual([]);
  });
});
