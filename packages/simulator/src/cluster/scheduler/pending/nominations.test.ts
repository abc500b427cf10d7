import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { FakeClock } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import { startLocalApi } from '@karpenter/api-server';
import { aNode, aPod } from '../../fixtures/builders.ts';
import type { PodOptions } from '../../fixtures/builders.ts';
import { nodes } from '../../objects/node.ts';
import { podKind } from '../../objects/pod.ts';
import { startBinder } from '../binder.ts';

interface Cluster extends Disposable {
  readonly api: LocalApi;
  readonly clock: FakeClock;
  settle(): Promise<void>;
  /** As another component writes it. */
  nominate(name: string, nodeName: string | null): void;
  nodeOf(name: string): string | undefined;
  nominationOf(name: string): string | undefined;
}

const priorityClass = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' };
const PRIORITIES = { low: -5, high: 5 };

const aBinderCluster = (): Cluster => {
  const clock = fakeClock();
  const api = startLocalApi(clock);
  for (const [name, value] of Object.entries(PRIORITIES)) api.create({ ...priorityClass, metadata: { name }, value });
  const binder = startBinder(api, clock);
  const get = (name: string) => api.get(podKind, { namespace: 'default', name });
  return {
    api,
    clock,
    settle: async () => {
      await clock.advance(1);
    },
    nominate: (name, nodeName) => {
      const body = { status: { nominatedNodeName: nodeName } };
      api.patch(podKind, { namespace: 'default', name }, { type: 'merge', body, subresource: 'status' });
    },
    nodeOf: (name) => get(name)?.spec.nodeName,
    nominationOf: (name) => get(name)?.status?.nominatedNodeName,
    [Symbol.dispose]: () => binder[Symbol.dispose](),
  };
};

const cpu = (amount: number, more: PodOptions = {}): PodOptions => ({ requests: { cpu: String(amount) }, ...more });
const closed = { taints: [{ key: 'closed', effect: 'NoSchedule' }] } as const;
const open = (api: LocalApi, name: string): void => void api.patch(nodes, { name }, { type: 'merge', body: { spec: { taints: null } } });

describe('a pod that is nominated for a node', () => {
  test('goes there, where another node would score higher', async () => {
    using cluster = aBinderCluster();
    const { api } = cluster;
    api.create(aPod('web', cpu(1)));
    await cluster.settle();
    cluster.nominate('web', 'small');
    api.create(aNode('small', { allocatable: { cpu: '1' } }));
    api.create(aNode('wide', { allocatable: { cpu: '64' } }));
    await cluster.settle();
    expect(cluster.nodeOf('web')).toBe('small');
  });

  test('is bound without a nomination left', async () => {
    using cluster = aBinderCluster();
    cluster.api.create(aPod('web', cpu(1)));
    await cluster.settle();
    cluster.nominate('web', 'small');
    cluster.api.create(aNode('small'));
    await cluster.settle();
    expect(cluster.nominationOf('web')).toBeUndefined();
  });

  test('goes elsewhere when the node does not take it', async () => {
    using cluster = aBinderCluster();
    cluster.api.create(aPod('web', cpu(2)));
    await cluster.settle();
    cluster.nominate('web', 'small');
    cluster.api.create(aNode('small', { allocatable: { cpu: '1' } }));
    cluster.api.create(aNode('wide', { allocatable: { cpu: '64' } }));
    await cluster.settle();
    expect(cluster.nodeOf('web')).toBe('wide');
  });

  test('goes elsewhere when there is no such node', async () => {
    using cluster = aBinderCluster();
    cluster.api.create(aPod('web', cpu(2)));
    await cluster.settle();
    cluster.nominate('web', 'never-came');
    cluster.api.create(aNode('wide'));
    await cluster.settle();
    expect(cluster.nodeOf('web')).toBe('wide');
  });

  test('loses the nomination when it is tried and fits nowhere', async () => {
    using cluster = aBinderCluster();
    cluster.api.create(aPod('web', cpu(2)));
    await cluster.settle();
    cluster.nominate('web', 'new');
    await cluster.settle();
    expect(cluster.nominationOf('web')).toBe('new');
    cluster.api.create(aNode('new', closed));
    await cluster.settle();
    expect(cluster.nominationOf('web')).toBeUndefined();
  });

  test('keeps it while a gate holds it', async () => {
    using cluster = aBinderCluster();
    cluster.api.create(aPod('web', cpu(1, { schedulingGates: [{ name: 'quota' }] })));
    cluster.nominate('web', 'new');
    cluster.api.create(aNode('new', closed));
    await cluster.settle();
    expect(cluster.nominationOf('web')).toBe('new');
  });

  test('is not tried again because of it', async () => {
    using cluster = aBinderCluster();
    cluster.api.create(aNode('full', { allocatable: { cpu: '1' } }));
    cluster.api.create(aPod('web', cpu(2)));
    await cluster.settle();
    cluster.nominate('web', 'full');
    await cluster.settle();
    expect(cluster.nominationOf('web')).toBe('full');
  });
});

describe('room for a pod that is nominated', () => {
  /**
   * `meant` is nominated for the node `new` of one core; `other` comes first in the queue, and both are tried when it
   * opens.
   */
  const twoForOne = async (meant: PodOptions, other: PodOptions): Promise<Cluster> => {
    const cluster = aBinderCluster();
    cluster.api.create(aPod('other', other));
    await cluster.settle();
    cluster.api.create(aPod('meant', meant));
    cluster.api.create(aNode('new', { ...closed, allocatable: { cpu: '1' } }));
    await cluster.settle();
    cluster.nominate('meant', 'new');
    open(cluster.api, 'new');
    await cluster.settle();
    return cluster;
  };

  test('is not given to one of equal priority', async () => {
    using cluster = await twoForOne(cpu(1), cpu(1));
    expect([cluster.nodeOf('meant'), cluster.nodeOf('other')]).toEqual(['new', undefined]);
  });

  test('is not given to one of lower priority', async () => {
    using cluster = await twoForOne(cpu(1), cpu(1, { priorityClassName: 'low' }));
    expect([cluster.nodeOf('meant'), cluster.nodeOf('other')]).toEqual(['new', undefined]);
  });

  test('goes to one of higher priority', async () => {
    using cluster = await twoForOne(cpu(1), cpu(1, { priorityClassName: 'high' }));
    expect([cluster.nodeOf('meant'), cluster.nodeOf('other')]).toEqual([undefined, 'new']);
  });

  test('is what it asks for and no more', async () => {
    using cluster = await twoForOne(cpu(0.5), cpu(0.5));
    expect([cluster.nodeOf('meant'), cluster.nodeOf('other')]).toEqual(['new', 'new']);
  });

  test('includes its company: one that it does not bear stays off', async () => {
    const labelSelector = { matchLabels: { app: 'loud' } };
    const term = [{ topologyKey: 'kubernetes.io/hostname', labelSelector }];
    const quiet = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: term } } };
    using cluster = await twoForOne(cpu(0.1, quiet), cpu(0.1, { labels: { app: 'loud' } }));
    expect([cluster.nodeOf('meant'), cluster.nodeOf('other')]).toEqual(['new', undefined]);
  });

  test('is no company that one may count on', async () => {
    const labelSelector = { matchLabels: { app: 'web' } };
    const term = [{ topologyKey: 'kubernetes.io/hostname', labelSelector }];
    const sociable = { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: term } } };
    using cluster = await twoForOne(cpu(0.1, { labels: { app: 'web' }, nodeSelector: { never: 'there' } }), cpu(0.1, sociable));
    expect(cluster.nodeOf('other')).toBeUndefined();
  });

  test('is free again, and those that wanted it are tried, once its own try has failed', async () => {
    using cluster = aBinderCluster();
    cluster.api.create(aPod('holder', cpu(1.5, { nodeName: 'new' })));
    cluster.api.create(aPod('other', cpu(1)));
    await cluster.settle();
    cluster.api.create(aPod('meant', cpu(2)));
    cluster.api.create(aNode('new', { ...closed, allocatable: { cpu: '2.5' } }));
    await cluster.settle();
    cluster.nominate('meant', 'new');
    open(cluster.api, 'new');
    await cluster.settle();
    expect([cluster.nominationOf('meant'), cluster.nodeOf('other')]).toEqual([undefined, 'new']);
  });
});
