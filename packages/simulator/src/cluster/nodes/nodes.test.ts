import { describe, expect, test } from '@jest/globals';
import type { Toleration } from '@karpenter/core/internal';
import { aPod } from '../fixtures/builders.ts';
import { aMachine, aTestCluster } from '../fixtures/test-cluster.ts';
import { aDaemonSet, aDeployment } from '../fixtures/workloads.ts';
import type { NodeObject } from '../objects/node.ts';
import { leases, nodes } from '../objects/node.ts';
import { isReady, type PodObject } from '../objects/pod.ts';

const MINUTE = 60_000;
const bearing = (key: string, tolerationSeconds: number): readonly Toleration[] => [
  { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds },
];
const keysOf = (node: NodeObject | undefined): readonly string[] => (node?.spec?.taints ?? []).map((taint) => taint.key);
const nodeOf = ({ spec }: PodObject): string | undefined => spec.nodeName;

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

  test('has the GPUs of its machine as a resource once a device plugin runs on it', async () => {
    using cluster = aTestCluster();
    const gpus = (): unknown => cluster.api.get(nodes, { name: 'vm-1' })?.status?.allocatable?.['nvidia.com/gpu'];
    cluster.kubelets.start(aMachine('vm-1', { pluginResources: { 'nvidia.com/gpu': '2' } }));
    cluster.api.create(aDaemonSet());
    await cluster.clock.advance(MINUTE);
    expect([cluster.pods().filter(isReady).length, gpus()]).toEqual([1, undefined]);
    const { spec, ...plugin } = aDaemonSet();
    const hostPath = { path: '/var/lib/kubelet/device-plugins' };
    const template = { ...spec.template, spec: { ...spec.template.spec, volumes: [{ name: 'sockets', hostPath }] } };
    cluster.api.create({ ...plugin, metadata: { ...plugin.metadata, name: 'plugin' }, spec: { ...spec, template } });
    await cluster.clock.advance(MINUTE);
    expect(gpus()).toBe('2');
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
