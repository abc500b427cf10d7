import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiObject, type KindRef, startApiServer } from '@karpenter/api-server';
import { fakeClock } from '@karpenter/runtime';
import { aPod } from '../fixtures/builders.ts';
import { aTestCluster, type TestCluster } from '../fixtures/test-cluster.ts';
import type { PodObject } from '../objects/pod.ts';
import { metricsServer } from './metrics-server.ts';

const pods: KindRef<PodObject> = { kind: 'Pod' };
const aConfigMap = (name: string, metadata: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...metadata },
});

let cluster: TestCluster;
beforeEach(() => {
  cluster = aTestCluster();
});
afterEach(() => {
  cluster[Symbol.dispose]();
});

describe('garbage collection', () => {
  const owned = (name: string, owner: ApiObject, more: object = {}): ApiObject =>
    aConfigMap(name, {
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: owner.metadata.name, uid: owner.metadata.uid, ...more }],
    });
  const has = (name: string): boolean => cluster.api.get('ConfigMap', { name }) !== undefined;

  test('a dependent goes with its last owner', () => {
    const [one, two] = [cluster.api.create(aConfigMap('one')), cluster.api.create(aConfigMap('two'))];
    const both = owned('both', one);
    cluster.api.create({
      ...both,
      metadata: {
        ...both.metadata,
        ownerReferences: [...(both.metadata.ownerReferences ?? []), ...(owned('x', two).metadata.ownerReferences ?? [])],
      },
    });
    cluster.api.delete('ConfigMap', { name: 'one' });
    expect(has('both')).toBe(true);
    cluster.api.delete('ConfigMap', { name: 'two' });
    expect(has('both')).toBe(false);
  });

  test('a foreground deletion waits for the dependents that block it', () => {
    const owner = cluster.api.create(aConfigMap('owner'));
    const child = owned('child', owner, { blockOwnerDeletion: true });
    cluster.api.create({ ...child, metadata: { ...child.metadata, finalizers: ['example.com/hold'] } });
    cluster.api.delete('ConfigMap', { name: 'owner' }, { propagationPolicy: 'Foreground' });
    expect([has('owner'), has('child')]).toEqual([true, true]);
    cluster.api.patch('ConfigMap', { name: 'child' }, { type: 'merge', body: { metadata: { finalizers: null } } });
    expect([has('owner'), has('child')]).toEqual([false, false]);
  });

  test('an orphaning deletion leaves the dependents, without the owner', () => {
    const owner = cluster.api.create(aConfigMap('owner'));
    cluster.api.create(owned('child', owner));
    cluster.api.delete('ConfigMap', { name: 'owner' }, { propagationPolicy: 'Orphan' });
    expect(has('owner')).toBe(false);
    expect(cluster.api.get('ConfigMap', { name: 'child' })?.metadata).not.toHaveProperty('ownerReferences');
    expect(has('child')).toBe(true);
  });

  test('a dependent that is born after its owner died goes at once', () => {
    const owner = cluster.api.create(aConfigMap('owner'));
    cluster.api.delete('ConfigMap', { name: 'owner' });
    cluster.api.create(owned('late', owner));
    expect(has('late')).toBe(false);
  });
});

test('a disruption budget counts the ready pods and refuses an eviction too many', async () => {
  cluster.api.create({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'pdb', namespace: 'default' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } },
  } as ApiObject);
  for (const name of ['a', 'b']) {
    cluster.api.create(aPod(name, { labels: { app: 'x' } }));
    cluster.api.bind({ name }, 'n1');
    cluster.api.patch(
      pods,
      { name },
      { type: 'merge', subresource: 'status', body: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } } },
    );
  }
  await cluster.clock.advance(1);
  expect(cluster.api.get('PodDisruptionBudget', { name: 'pdb' })).toMatchObject({
    status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 },
  });
  cluster.api.evict({ name: 'a' });
  expect(() => cluster.api.evict({ name: 'b' })).toThrow(expect.objectContaining({ code: 'TooManyRequests' }));
});

test.each([
  { name: 'without a controller do not count for maxUnavailable', owner: undefined, reason: 'InsufficientPods' },
  { name: 'of a controller without a scale cannot be counted', owner: 'ConfigMap', reason: 'SyncFailed' },
])('pods $name, and none may be evicted', async ({ owner, reason }) => {
  const made = cluster.api.create(aConfigMap('owner'));
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: made.metadata.uid ?? '', controller: true };
  const spec = { maxUnavailable: 1, selector: { matchLabels: { app: 'x' } } };
  cluster.api.create({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'pdb' }, spec } as ApiObject);
  const pod = aPod('a', { labels: { app: 'x' } });
  cluster.api.create({ ...pod, metadata: { ...pod.metadata, ...(owner === undefined ? {} : { ownerReferences: [reference] }) } });
  cluster.api.bind({ name: 'a' }, 'n1');
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  cluster.api.patch(pods, { name: 'a' }, { type: 'merge', subresource: 'status', body: { status } });
  await cluster.clock.advance(1);
  expect(cluster.api.get('PodDisruptionBudget', { name: 'pdb' })).toMatchObject({
    status: { disruptionsAllowed: 0, currentHealthy: 1, expectedPods: 0, conditions: [{ status: 'False', reason }] },
  });
  expect(() => cluster.api.evict({ name: 'a' })).toThrow(expect.objectContaining({ code: 'TooManyRequests' }));
});

test('a namespace goes with all that is in it, when the last finalizer in it goes', () => {
  cluster.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gone' } });
  cluster.api.create(aConfigMap('free', { namespace: 'gone' }));
  cluster.api.create(aConfigMap('held', { namespace: 'gone', finalizers: ['example.com/hold'] }));
  cluster.api.delete('Namespace', { name: 'gone' });
  const left = () => cluster.api.list('ConfigMap', { namespace: 'gone' }).map(({ metadata }) => metadata.name);
  expect([left(), cluster.api.get('Namespace', { name: 'gone' })]).toEqual([['held'], expect.objectContaining({ kind: 'Namespace' })]);
  const body = { metadata: { finalizers: null } };
  cluster.api.patch('ConfigMap', { name: 'held', namespace: 'gone' }, { type: 'merge', body });
  expect([left(), cluster.api.get('Namespace', { name: 'gone' })]).toEqual([[], undefined]);
});

test('kubectl top finds what running pods and their nodes use, and is refused what is not there', async () => {
  const clock = fakeClock();
  await using server = await startApiServer({ clock });
  server.aggregate(metricsServer(server.local, clock));
  server.local.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } });
  for (const name of ['a', 'waits']) server.local.create(aPod(name, { labels: { app: name }, requests: { cpu: '1' } }));
  server.local.bind({ name: 'a' }, 'n1');
  server.local.patch(pods, { name: 'a' }, { type: 'merge', subresource: 'status', body: { status: { phase: 'Running' } } });
  const answer = async (path: string): Promise<unknown> => (await fetch(`${server.url}/apis/metrics.k8s.io/v1beta1/${path}`)).json();
  expect(await answer('pods')).toMatchObject({
    kind: 'PodMetricsList',
    items: [
      {
        kind: 'PodMetrics',
        metadata: { name: 'a', labels: { app: 'a' } },
        containers: [{ usage: { cpu: expect.stringMatching(/^[345]\d\dm$/) } }],
      },
    ],
  });
  expect(await answer('namespaces/default/pods?labelSelector=app%3Dwaits')).toMatchObject({ items: [] });
  expect(await answer('nodes/n1')).toMatchObject({
    kind: 'NodeMetrics',
    metadata: { name: 'n1' },
    usage: { cpu: expect.stringMatching(/m$/) },
  });
  expect(await answer('nodes/n2')).toMatchObject({ code: 404, message: 'nodes.metrics.k8s.io "n2" not found' });
  const { url } = server;
  const resources = await (await fetch(`${url}/apis/metrics.k8s.io/v1beta1`)).json();
  expect(resources).toMatchObject({ resources: [{ name: 'nodes', verbs: ['get', 'list'] }, { name: 'pods' }] });
});
