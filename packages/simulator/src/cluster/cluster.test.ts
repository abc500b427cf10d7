import { describe, expect, test } from '@jest/globals';
import type { Toleration } from '@karpenter/core';
import { aPod } from './fixtures/builders.ts';
import { aMachine, aTestCluster } from './fixtures/test-cluster.ts';
import { aDaemonSet, aDeployment, aJob, aStatefulSet } from './fixtures/workloads.ts';
import { events } from './control/event-writer.ts';
import { conditionOf } from './objects/conditions.ts';
import type { Node } from './objects/node.ts';
import { leases, nodes } from './objects/node.ts';
import { isReady } from './objects/pod-state.ts';
import type { Pod } from './objects/pod.ts';
import { pods } from './objects/pod.ts';
import { volumeClaims, volumes } from './objects/volume.ts';
import { daemonSets, deployments, disruptionBudgets, jobs, replicaSets, statefulSets } from './objects/workload.ts';

const MINUTE = 60_000;
const web = { name: 'web', namespace: 'default' };
const bearing = (key: string, tolerationSeconds: number): readonly Toleration[] => [
  { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds },
];
const keysOf = (node: Node | undefined): readonly string[] => (node?.spec?.taints ?? []).map((taint) => taint.key);
const nodeOf = ({ spec }: Pod): string | undefined => spec.nodeName;
const imageOf = ({ spec }: Pod): string | undefined => spec.containers[0]?.image;

describe('a deployment', () => {
  test('is scaled to five: what fits runs, the rest says why not, and a second node takes it', async () => {
    using cluster = aTestCluster();
    cluster.kubelets.start(aMachine('seed'));
    cluster.api.create(aDeployment(5));
    await cluster.clock.advance(MINUTE);

    const pending = cluster.pods().filter((pod) => pod.spec.nodeName === undefined);
    expect(cluster.pods().filter(isReady)).toHaveLength(4);
    expect(pending).toHaveLength(1);
    expect(conditionOf(pending[0]?.status?.conditions, 'PodScheduled')).toMatchObject({
      status: 'False',
      reason: 'Unschedulable',
      message: '0/1 nodes are available: 1 Insufficient cpu. preemption: not attempted, this scheduler never preempts.',
    });
    expect(cluster.api.list(events).map((event) => event.reason)).toContain('FailedScheduling');

    cluster.kubelets.start(aMachine('second'));
    await cluster.clock.advance(MINUTE);
    expect(cluster.pods().filter(isReady)).toHaveLength(5);
    expect(cluster.api.get(deployments, web)?.status).toMatchObject({ observedGeneration: 1, readyReplicas: 5, availableReplicas: 5 });
  });

  test('rolls to a new template without losing more than it may, and ends', async () => {
    using cluster = aTestCluster();
    cluster.kubelets.start(aMachine('a'));
    cluster.kubelets.start(aMachine('b'));
    cluster.api.create(aDeployment(4));
    await cluster.clock.advance(MINUTE);

    const containers = [{ name: 'main', image: 'web:2', resources: { requests: { cpu: '1' } } }];
    const spec = { template: { spec: { containers } } };
    cluster.api.patch(deployments, web, { type: 'merge', body: { spec } });
    for (let second = 0; second < 120; second += 1) {
      await cluster.clock.advance(1_000);
      expect(cluster.pods().filter((pod) => isReady(pod) && pod.metadata.deletionTimestamp === undefined).length).toBeGreaterThanOrEqual(3);
      expect(cluster.pods().filter((pod) => pod.metadata.deletionTimestamp === undefined).length).toBeLessThanOrEqual(5);
    }
    expect(cluster.pods().map(imageOf)).toEqual(['web:2', 'web:2', 'web:2', 'web:2']);
    const after = cluster.api.get(deployments, web);
    expect(after?.metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('2');
    expect(after?.status).toMatchObject({ observedGeneration: 2, replicas: 4, updatedReplicas: 4, availableReplicas: 4 });
    expect(conditionOf(after?.status?.conditions, 'Progressing')?.reason).toBe('NewReplicaSetAvailable');
  });

  test('goes back to the ReplicaSet it had when the old template returns, in whatever order it is written', async () => {
    using cluster = aTestCluster();
    cluster.kubelets.start(aMachine('a'));
    cluster.kubelets.start(aMachine('b'));
    cluster.api.create(aDeployment(2));
    await cluster.clock.advance(MINUTE);
    const first = cluster.api.list(replicaSets)[0]?.metadata.name;
    const { template } = aDeployment(2).spec;
    cluster.api.patch(deployments, web, { type: 'merge', body: { spec: { template: { metadata: { labels: { tier: 'front' } } } } } });
    await cluster.clock.advance(MINUTE);
    const reordered = { spec: template.spec, metadata: { labels: { tier: null, ...template.metadata?.labels } } };
    cluster.api.patch(deployments, web, { type: 'merge', body: { spec: { template: reordered } } });
    await cluster.clock.advance(MINUTE);
    const sets = cluster.api.list(replicaSets).map(({ metadata, spec }) => [metadata.name, spec.replicas]);
    expect(sets).toHaveLength(2);
    expect(sets).toContainEqual([first, 2]);
    expect(cluster.api.get(deployments, web)?.metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('3');
  });

  test('scales to nothing', async () => {
    using cluster = aTestCluster();
    cluster.kubelets.start(aMachine('a'));
    cluster.api.create(aDeployment(3));
    await cluster.clock.advance(MINUTE);
    cluster.api.patch(deployments, web, { type: 'merge', body: { spec: { replicas: 0 } } });
    await cluster.clock.advance(MINUTE);
    expect(cluster.pods()).toEqual([]);
  });
});

describe('other workloads', () => {
  test('a daemon set puts one pod on every node that its tolerations allow, cordoned ones too', async () => {
    using cluster = aTestCluster();
    cluster.api.create(aDaemonSet());
    cluster.kubelets.start(aMachine('a'));
    cluster.kubelets.start(aMachine('b'));
    cluster.kubelets.start(aMachine('tainted', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }));
    await cluster.clock.advance(MINUTE);
    cluster.api.patch(nodes, { name: 'b' }, { type: 'merge', body: { spec: { unschedulable: true } } });
    cluster.api.delete(pods, { namespace: 'default', name: cluster.pods().find((pod) => nodeOf(pod) === 'b')?.metadata.name ?? '' });
    await cluster.clock.advance(MINUTE);
    expect(cluster.pods().map(nodeOf).sort()).toEqual(['a', 'b']);
    expect(cluster.api.get(daemonSets, web)?.status).toMatchObject({
      desiredNumberScheduled: 2,
      numberReady: 2,
      updatedNumberScheduled: 2,
    });
  });

  test('a stateful set starts one pod after the other and goes down from the highest', async () => {
    using cluster = aTestCluster();
    cluster.kubelets.start(aMachine('a'));
    await cluster.clock.advance(10_000);
    cluster.api.create(aStatefulSet(3));
    await cluster.clock.advance(1_000);
    expect(cluster.pods().map((pod) => pod.metadata.name)).toEqual(['web-0']);
    await cluster.clock.advance(MINUTE);
    expect(cluster.pods().map((pod) => pod.metadata.name)).toEqual(['web-0', 'web-1', 'web-2']);
    cluster.api.patch(statefulSets, web, { type: 'merge', body: { spec: { replicas: 1 } } });
    await cluster.clock.advance(MINUTE);
    expect(cluster.pods().map((pod) => pod.metadata.name)).toEqual(['web-0']);
    expect(cluster.api.get(statefulSets, web)?.status).toMatchObject({ replicas: 1, readyReplicas: 1, updatedReplicas: 1 });
  });

  test('a claim that waits for its first consumer gets its volume in the zone of that pod, and takes it along', async () => {
    using cluster = aTestCluster();
    cluster.kubelets.start(aMachine('a', { labels: { 'topology.kubernetes.io/zone': 'east-1' } }));
    const late = { provisioner: 'disk', volumeBindingMode: 'WaitForFirstConsumer' as const };
    cluster.api.create({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'late' }, ...late });
    const claim = { accessModes: ['ReadWriteOnce'], storageClassName: 'late', resources: { requests: { storage: '1Gi' } } };
    cluster.api.create({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data', namespace: 'default' }, spec: claim });
    await cluster.clock.advance(MINUTE);
    expect(cluster.api.list(volumes)).toEqual([]);
    cluster.api.create(aPod('user', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] }));
    await cluster.clock.advance(MINUTE);
    expect(cluster.pods().map(isReady)).toEqual([true]);
    const [volume] = cluster.api.list(volumes);
    expect(volume?.spec.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values).toEqual(['east-1']);
    expect(cluster.api.get(volumeClaims, { name: 'data', namespace: 'default' })?.status?.phase).toBe('Bound');
    cluster.api.delete(pods, { name: 'user', namespace: 'default' });
    cluster.api.delete(volumeClaims, { name: 'data', namespace: 'default' });
    await cluster.clock.advance(MINUTE);
    expect(cluster.api.list(volumes)).toEqual([]);
  });

  test('a job runs its pods side by side until enough have succeeded', async () => {
    using cluster = aTestCluster();
    cluster.kubelets.start(aMachine('a'));
    cluster.api.create(aJob(3, 2, 20));
    await cluster.clock.advance(20_000);
    expect(cluster.api.get(jobs, { namespace: 'default', name: 'work' })?.status).toMatchObject({ active: 2, succeeded: 0 });
    await cluster.clock.advance(2 * MINUTE);
    const status = cluster.api.get(jobs, { namespace: 'default', name: 'work' })?.status;
    expect(status).toMatchObject({ active: 0, succeeded: 3 });
    expect(conditionOf(status?.conditions, 'Complete')?.status).toBe('True');
  });

  test('a disruption budget counts what is healthy and what may go', async () => {
    using cluster = aTestCluster();
    cluster.kubelets.start(aMachine('a'));
    cluster.api.create(aDeployment(4));
    const key = { name: 'pdb', namespace: 'default' };
    cluster.api.create({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: key,
      spec: { maxUnavailable: '25%', selector: { matchLabels: { app: 'web' } } },
    });
    await cluster.clock.advance(MINUTE);
    expect(cluster.api.get(disruptionBudgets, key)?.status).toMatchObject({
      ...{ currentHealthy: 4, desiredHealthy: 3, expectedPods: 4, disruptionsAllowed: 1 },
    });
    cluster.api.delete(pods, { namespace: 'default', name: cluster.pods()[0]?.metadata.name ?? '' });
    await cluster.clock.advance(500);
    expect(cluster.api.get(disruptionBudgets, key)?.status).toMatchObject({ disruptionsAllowed: 0 });
  });
});

describe('a node', () => {
  test('registers with what its bootstrap says, less the labels that a kubelet may not give itself', async () => {
    using cluster = aTestCluster();
    const unregistered = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' as const };
    const labels = { 'karpenter.sh/nodepool': 'general', 'node-role.kubernetes.io/master': '', 'node.kubernetes.io/x': 'y' };
    cluster.kubelets.start(aMachine('vm-1', { labels, taints: [unregistered], isCloudManaged: true }));
    await cluster.clock.advance(4_000);
    const young = cluster.api.get(nodes, { name: 'vm-1' });
    expect(keysOf(young)).toEqual(
      expect.arrayContaining([
        'karpenter.sh/unregistered',
        'node.cloudprovider.kubernetes.io/uninitialized',
        'node.kubernetes.io/not-ready',
      ]),
    );
    expect(young?.metadata.labels).toMatchObject({
      'karpenter.sh/nodepool': 'general',
      'node.kubernetes.io/x': 'y',
      'kubernetes.io/arch': 'amd64',
    });
    expect(young?.metadata.labels).not.toHaveProperty(['node-role.kubernetes.io/master']);
    await cluster.clock.advance(MINUTE);
    const grown = cluster.api.get(nodes, { name: 'vm-1' });
    expect(grown?.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
    expect(keysOf(grown)).toEqual(['karpenter.sh/unregistered', 'node.cloudprovider.kubernetes.io/uninitialized']);
    expect(cluster.api.get(leases, { namespace: 'kube-node-lease', name: 'vm-1' })?.spec.holderIdentity).toBe('vm-1');
  });

  test('is initialised by the cloud, and deleted when its machine is gone there', async () => {
    const machine = { providerId: 'cloud:///vm-1', instanceType: 'D2', region: 'east', zone: 'east-1' };
    const existing = new Set([machine.providerId]);
    using cluster = aTestCluster({ cloud: { machineOf: () => machine, exists: (id) => existing.has(id) } });
    const plug = cluster.kubelets.start(aMachine('vm-1', { isCloudManaged: true }));
    await cluster.clock.advance(MINUTE);
    const node = cluster.api.get(nodes, { name: 'vm-1' });
    expect(node?.spec).toEqual({ providerID: 'cloud:///vm-1' });
    expect(node?.metadata.labels).toMatchObject({ 'topology.kubernetes.io/zone': 'east-1', 'node.kubernetes.io/instance-type': 'D2' });
    plug[Symbol.dispose]();
    existing.clear();
    await cluster.clock.advance(MINUTE);
    expect(cluster.api.get(nodes, { name: 'vm-1' })).toBeUndefined();
  });

  test('whose machine was gone before the cloud had initialised it is deleted a minute after it came', async () => {
    using cluster = aTestCluster({ cloud: { machineOf: () => undefined, exists: () => false } });
    const plug = cluster.kubelets.start(aMachine('vm-1', { isCloudManaged: true }));
    await cluster.clock.advance(4_000);
    plug[Symbol.dispose]();
    await cluster.clock.advance(50_000);
    expect(cluster.api.get(nodes, { name: 'vm-1' })).toBeDefined();
    await cluster.clock.advance(15_000);
    expect(cluster.api.get(nodes, { name: 'vm-1' })).toBeUndefined();
  });

  test('that falls silent is tainted; pods go when their toleration ends, daemons stay', async () => {
    using cluster = aTestCluster();
    const plug = cluster.kubelets.start(aMachine('a'));
    cluster.api.create(aDaemonSet());
    cluster.api.create(aPod('patient', { tolerations: bearing('node.kubernetes.io/unreachable', 60) }));
    cluster.api.create(aPod('hasty', { tolerations: bearing('node.kubernetes.io/unreachable', 5) }));
    await cluster.clock.advance(MINUTE);
    plug[Symbol.dispose]();
    await cluster.clock.advance(MINUTE);
    expect(cluster.api.get(nodes, { name: 'a' })?.spec?.taints).toContainEqual(
      expect.objectContaining({ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }),
    );
    const ending = (): readonly (string | undefined)[] =>
      cluster
        .pods()
        .filter((pod) => pod.metadata.deletionTimestamp !== undefined)
        .map((pod) => pod.metadata.name);
    expect(ending()).toEqual(['hasty']);
    await cluster.clock.advance(MINUTE);
    expect([...ending()].sort()).toEqual(['hasty', 'patient']);
    cluster.api.delete(nodes, { name: 'a' });
    await cluster.clock.advance(2 * MINUTE);
    expect(cluster.pods()).toEqual([]);
  });

  test('that falls silent and comes back has its pods ready again', async () => {
    using cluster = aTestCluster();
    const plug = cluster.kubelets.start(aMachine('a'));
    cluster.api.create(aPod('patient', { tolerations: [{ operator: 'Exists' }] }));
    await cluster.clock.advance(MINUTE);
    plug[Symbol.dispose]();
    await cluster.clock.advance(MINUTE);
    expect(cluster.pods().map(isReady)).toEqual([false]);
    cluster.kubelets.start(aMachine('a'));
    await cluster.clock.advance(MINUTE);
    expect(cluster.pods().map(isReady)).toEqual([true]);
    expect(keysOf(cluster.api.get(nodes, { name: 'a' }))).toEqual([]);
  });

  test('that is drained loses its pods after their grace, and they run elsewhere', async () => {
    using cluster = aTestCluster();
    cluster.kubelets.start(aMachine('a'));
    cluster.api.create(aDeployment(2));
    await cluster.clock.advance(MINUTE);
    cluster.kubelets.start(aMachine('b'));
    await cluster.clock.advance(MINUTE);
    cluster.api.patch(nodes, { name: 'a' }, { type: 'merge', body: { spec: { unschedulable: true } } });
    for (const { metadata } of cluster.pods()) cluster.api.evict({ namespace: 'default', name: metadata.name ?? '' });
    await cluster.clock.advance(MINUTE);
    expect(cluster.pods().map(nodeOf)).toEqual(['b', 'b']);
  });

  test('gives pods of higher priority its room first', async () => {
    using cluster = aTestCluster();
    cluster.api.create(aPod('low', { requests: { cpu: '3' } }));
    cluster.api.create(aPod('high', { requests: { cpu: '3' }, priorityClassName: 'system-cluster-critical' }));
    cluster.kubelets.start(aMachine('a'));
    await cluster.clock.advance(MINUTE);
    expect(
      cluster
        .pods()
        .filter(isReady)
        .map((pod) => pod.metadata.name),
    ).toEqual(['high']);
  });
});
