import { describe, expect, jest, test } from '@jest/globals';
import { KubeError } from '@karpenter/runtime';
import type { KubeObject, ObjectKey } from '@karpenter/runtime';
import type { CapacityBuffer } from '../../apis/index.ts';
import type { BufferView, ClusterSnapshot } from '../../cluster/index.ts';
import { conditionOf } from '../../kube/index.ts';
import type { Condition } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import type { BufferOutcome } from '../../scheduling/index.ts';
import { capacityBuffer, onBufferChange } from './capacity-buffer.ts';
import { noteBuffers } from './planned-buffers.ts';

const { signal } = new AbortController();

const template = { spec: { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '1' } } }] } };
const metadata = { name: 'web', namespace: 'default', generation: 7 };
const workload = (spec: object = {}) => ({ metadata, spec: { template, ...spec } });

/** A cluster whose API server may not answer. */
class Unreliable extends FakeCluster {
  isSilent = false;

  override get<T extends KubeObject>(kind: string, key: ObjectKey): Promise<T | undefined> {
    return this.isSilent ? Promise.reject(new KubeError('no answer', { code: 'network', cause: undefined })) : super.get(kind, key);
  }
}

/** A buffer, what it refers to, and its controller. */
const startBuffer = (spec: CapacityBuffer['spec'], seeds: Readonly<Record<string, object>> = {}, status?: CapacityBuffer['status']) => {
  const cluster = new Unreliable();
  for (const [kind, object] of Object.entries(seeds)) cluster.seed(kind, { metadata, ...object });
  cluster.seed('CapacityBuffer', { metadata: { name: 'spare', namespace: 'default', generation: 3 }, spec, ...(status && { status }) });
  const shell = fakeShell(cluster);
  const controller = capacityBuffer(shell);
  const key = { name: 'spare', namespace: 'default' };
  const stored = (): CapacityBuffer => cluster.kind('CapacityBuffer').get(key);
  return {
    cluster,
    reconcile: () => controller.reconcile(stored(), { signal }),
    status: () => stored().status,
    readiness: (): Condition | undefined => conditionOf(stored().status?.conditions, 'ReadyForProvisioning'),
    clock: shell.clock,
    state: shell.state,
    chunks: () => shell.state.buffers.chunksOf(stored(), shell.clock.now()),
  };
};

const scalableRef = (kind: string, apiGroup = 'apps') => ({ apiGroup, kind, name: 'web' });

describe('a CapacityBuffer is resolved', () => {
  test.each<[string, CapacityBuffer['spec'], Record<string, object>, number]>([
    ['by a PodTemplate', { podTemplateRef: { name: 'web' }, replicas: 2 }, { PodTemplate: { template } }, 2],
    ['by a StatefulSet', { scalableRef: scalableRef('StatefulSet'), percentage: 50 }, { StatefulSet: workload({ replicas: 4 }) }, 2],
    ['by a ReplicaSet', { scalableRef: scalableRef('ReplicaSet'), percentage: 50 }, { ReplicaSet: workload({ replicas: 6 }) }, 3],
    ['where no group is named', { scalableRef: scalableRef('Deployment', ''), replicas: 1 }, { Deployment: workload() }, 1],
    [
      'with one replica where the workload states none',
      { scalableRef: scalableRef('Deployment'), percentage: 200 },
      { Deployment: workload() },
      2,
    ],
  ])('%s', async (...[, spec, seeds, chunks]) => {
    const buffer = startBuffer(spec, seeds);
    expect(await buffer.reconcile()).toEqual({ kind: 'requeue', afterMs: 10_000 });
    expect(buffer.readiness()).toMatchObject({ status: 'True', reason: 'Resolved', observedGeneration: 3 });
    expect([buffer.status()?.replicas, buffer.chunks()]).toEqual([chunks, chunks]);
  });

  test('with the generation of its PodTemplate, which goes when it refers to a workload', async () => {
    const buffer = startBuffer({ podTemplateRef: { name: 'web' }, replicas: 1 }, { PodTemplate: { template }, Deployment: workload() });
    await buffer.reconcile();
    expect(buffer.status()).toMatchObject({ podTemplateRef: { name: 'web' }, podTemplateGeneration: 7 });
    const spec = { scalableRef: scalableRef('Deployment'), replicas: 1 };
    buffer.cluster.seed('CapacityBuffer', {
      metadata: { name: 'spare', namespace: 'default', generation: 4 },
      spec,
      status: buffer.status() ?? {},
    });
    await buffer.reconcile();
    expect(Object.keys(buffer.status() ?? {})).not.toEqual(expect.arrayContaining(['podTemplateRef']));
    expect(buffer.readiness()).toMatchObject({ status: 'True', observedGeneration: 4 });
  });
});

describe('a CapacityBuffer is not resolved, has no chunks and says why', () => {
  test.each<[string, CapacityBuffer['spec'], Record<string, object>, string, string]>([
    [
      'without its PodTemplate',
      { podTemplateRef: { name: 'web' }, replicas: 2 },
      {},
      'PodTemplateNotFound',
      'podtemplates "web" not found',
    ],
    [
      'without its workload',
      { scalableRef: scalableRef('StatefulSet'), replicas: 2 },
      {},
      'ScalableRefNotFound',
      'statefulsets "web" not found',
    ],
    [
      'of another kind',
      { scalableRef: scalableRef('DaemonSet'), replicas: 2 },
      { DaemonSet: workload() },
      'ResolutionFailed',
      'DaemonSet of "apps"',
    ],
    [
      'of another group',
      { scalableRef: scalableRef('Deployment', 'example.com'), replicas: 2 },
      {},
      'ResolutionFailed',
      'of "example.com"',
    ],
    ['without a reference', { replicas: 2 }, {}, 'ResolutionFailed', 'spec '],
    [
      'of a PodTemplate without a template',
      { podTemplateRef: { name: 'web' }, replicas: 2 },
      { PodTemplate: {} },
      ...(['ResolutionFailed', 'podtemplates "web" has no template'] as const),
    ],
    [
      'of a template that no node can hold',
      { podTemplateRef: { name: 'web' }, replicas: 2 },
      { PodTemplate: { template: { spec: { containers: [{ name: 'main', resources: { requests: { cpu: 'many' } } }] } } } },
      ...(['ResolutionFailed', 'template: '] as const),
    ],
  ])('%s', async (...[, spec, seeds, reason, message]) => {
    const buffer = startBuffer(spec, seeds);
    expect(await buffer.reconcile()).toEqual({ kind: 'requeue', afterMs: 10_000 });
    expect(buffer.readiness()).toMatchObject({ status: 'False', reason, message: expect.stringContaining(message) });
    expect(conditionOf(buffer.status()?.conditions, 'Provisioning')).toMatchObject({ status: 'False', reason: 'NotReadyForProvisioning' });
    expect(buffer.chunks()).toBe(0);
  });

  test('when the API server does not answer, until it does; then it keeps its chunks through the next outage', async () => {
    const buffer = startBuffer({ podTemplateRef: { name: 'web' }, replicas: 2 }, { PodTemplate: { template } });
    buffer.cluster.isSilent = true;
    await expect(buffer.reconcile()).rejects.toThrow('no answer');
    expect(buffer.readiness()).toMatchObject({ status: 'False', reason: 'ResolutionFailed', message: 'no answer' });
    buffer.cluster.isSilent = false;
    await buffer.reconcile();
    buffer.cluster.isSilent = true;
    await expect(buffer.reconcile()).rejects.toThrow('no answer');
    expect(buffer.readiness()).toMatchObject({ status: 'True', reason: 'Resolved' });
    expect(buffer.chunks()).toBe(2);
  });

  test('when reading it triggers a bug, and its status says so', async () => {
    const buffer = startBuffer({ scalableRef: scalableRef('Deployment'), replicas: 2 }, { Deployment: {} });
    await expect(buffer.reconcile()).rejects.toThrow(TypeError);
    const message = expect.stringContaining('undefined');
    expect(buffer.readiness()).toMatchObject({ status: 'False', reason: 'ResolutionFailed', message });
  });

  test('when its PodTemplate is deleted', async () => {
    const buffer = startBuffer({ podTemplateRef: { name: 'web' }, replicas: 2 }, { PodTemplate: { template } });
    await buffer.reconcile();
    await buffer.cluster.delete('PodTemplate', metadata);
    await buffer.reconcile();
    expect(buffer.readiness()).toMatchObject({ status: 'False', reason: 'PodTemplateNotFound' });
    expect(buffer.chunks()).toBe(0);
  });
});

describe('the room of a CapacityBuffer that was not read yet', () => {
  const spec = { podTemplateRef: { name: 'web' }, replicas: 2 };
  const silent = (status?: CapacityBuffer['status']) => {
    const buffer = startBuffer(spec, { PodTemplate: { template } }, status);
    buffer.cluster.isSilent = true;
    const isUnknown = (): boolean => buffer.state.buffers.isRoomUnknown(buffer.clock.now());
    return { ...buffer, isUnknown };
  };

  test('is unknown while reads fail, for ten minutes, and holds up nothing but disruption', async () => {
    const buffer = silent({ replicas: 2 });
    expect([buffer.isUnknown(), buffer.state.hasSynced()]).toEqual([true, true]);
    await expect(buffer.reconcile()).rejects.toThrow('no answer');
    await buffer.clock.advance(599_999);
    await expect(buffer.reconcile()).rejects.toThrow('no answer');
    expect([buffer.isUnknown(), buffer.state.hasSynced()]).toEqual([true, true]);
    await buffer.clock.advance(1);
    expect([buffer.isUnknown(), buffer.chunks()]).toEqual([false, 0]);
  });

  test('is known once a read succeeds, also when it finds nothing', async () => {
    const buffer = silent({ replicas: 2 });
    await expect(buffer.reconcile()).rejects.toThrow('no answer');
    buffer.cluster.isSilent = false;
    await buffer.cluster.delete('PodTemplate', metadata);
    await buffer.reconcile();
    expect([buffer.isUnknown(), buffer.readiness()?.reason]).toEqual([false, 'PodTemplateNotFound']);
  });

  test('does not matter when the buffer never had chunks', () => {
    expect(silent().isUnknown()).toBe(false);
  });
});

describe('many CapacityBuffers of one namespace', () => {
  const aCrowd = (count: number) => {
    const cluster = new FakeCluster();
    const podTemplate = (namespace: string): object => ({ metadata: { ...metadata, namespace }, template });
    for (const namespace of ['default', 'other']) cluster.seed('PodTemplate', { metadata, ...podTemplate(namespace) });
    const nameOf = (namespace: string, index: number): CapacityBuffer['metadata'] => ({ name: `spare-${index}`, namespace, generation: 1 });
    const spec = { podTemplateRef: { name: 'web' }, replicas: 1 };
    for (let index = 0; index < count; index++) cluster.seed('CapacityBuffer', { metadata: nameOf('default', index), spec });
    cluster.seed('CapacityBuffer', { metadata: nameOf('other', 0), spec });
    const shell = fakeShell(cluster);
    const buffers = shell.state.buffers.list();
    for (const buffer of buffers) shell.state.buffers.resolve(buffer, { source: { template } });
    const read = (namespace: string): CapacityBuffer => cluster.kind('CapacityBuffer').get({ name: 'spare-0', namespace });
    return { cluster, shell, buffers, read };
  };

  test('are read again after 50 ms for each, those of another namespace after ten seconds', async () => {
    const { shell, read } = aCrowd(1000);
    const controller = capacityBuffer(shell);
    expect(await controller.reconcile(read('default'), { signal })).toMatchObject({ afterMs: 50_000 });
    expect(await controller.reconcile(read('other'), { signal })).toMatchObject({ afterMs: 10_000 });
  });

  test('that name one template and are read at the same time › share a read, another namespace has its own, later reads are new', async () => {
    const { cluster, shell } = aCrowd(10);
    const controller = capacityBuffer(shell);
    const get = jest.spyOn(cluster, 'get');
    const readAll = () => Promise.all(shell.state.buffers.list().map((buffer) => controller.reconcile(buffer, { signal })));
    const namespaces = () => get.mock.calls.filter(([kind]) => kind === 'PodTemplate').map(([, { namespace }]) => namespace);
    await readAll();
    expect(namespaces().sort()).toEqual(['default', 'other']);
    await readAll();
    expect(namespaces()).toHaveLength(4);
  });

  test('get ten of their statuses from a plan, and another namespace its own', async () => {
    const { shell, buffers, read } = aCrowd(100);
    const views = shell.state.buffers.views(shell.clock.now());
    const outcome = (view: BufferView): BufferOutcome => ({ view, onNodes: new Map(), onNewNodes: 1, rejections: [] });
    const snapshot = { nodes: [], nodePools: [] } as Partial<ClusterSnapshot> as ClusterSnapshot;
    await noteBuffers(shell, { buffers: views.map(outcome), snapshot, explain: () => '' }, signal);
    expect(buffers.every((buffer) => shell.state.buffers.roomOf(buffer)?.onNewNodes === 1)).toBe(true);
    const shown = shell.caches.capacityBuffers?.list().filter(({ status }) => status?.replicas === 1);
    expect(shown).toHaveLength(11);
    expect(read('other').status?.replicas).toBe(1);
  });

  test('are not read when a pod is bound, which triggers a plan while any has chunks', () => {
    const { cluster, shell } = aCrowd(100);
    let triggers = 0;
    onBufferChange(shell, () => {
      triggers++;
    });
    const views = jest.spyOn(shell.state.buffers, 'views');
    const bind = (name: string): void => {
      cluster.seed('Pod', { metadata: { name, namespace: 'default' }, spec: { containers: [] } });
      cluster.seed('Pod', { metadata: { name, namespace: 'default' }, spec: { containers: [], nodeName: 'n' } });
    };
    bind('before-any-plan');
    expect(triggers).toBe(0);
    shell.state.buffers.views(shell.clock.now());
    views.mockClear();
    bind('after-it');
    expect(triggers).toBe(1);
    expect(views).not.toHaveBeenCalled();
  });
});
