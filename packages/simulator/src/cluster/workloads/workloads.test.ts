import { describe, expect, test } from '@jest/globals';
import { aMachine, aTestCluster } from '../fixtures/test-cluster.ts';
import { aDaemonSet, aDeployment, aJob, aStatefulSet } from '../fixtures/workloads.ts';
import { events } from '../control/event-writer.ts';
import { conditionIn } from '../objects/conditions.ts';
import { nodes } from '../objects/node.ts';
import { isReady, podKind, type PodObject } from '../objects/pod.ts';
import { daemonSets, deployments, jobs, podDisruptionBudgets, replicaSets, statefulSets } from '../objects/workload.ts';

const MINUTE = 60_000;
const web = { name: 'web', namespace: 'default' };
const nodeOf = ({ spec }: PodObject): string | undefined => spec.nodeName;
const imageOf = ({ spec }: PodObject): string | undefined => spec.containers[0]?.image;

describe('a deployment', () => {
  test('is scaled to five: what fits runs, the rest says why not, and a second node takes it', async () => {
    using cluster = aTestCluster();
    cluster.kubelets.start(aMachine('seed'));
    cluster.api.create(aDeployment(5));
    await cluster.clock.advance(MINUTE);

    const pending = cluster.pods().filter((pod) => pod.spec.nodeName === undefined);
    expect(cluster.pods().filter(isReady)).toHaveLength(4);
    expect(pending).toHaveLength(1);
    expect(conditionIn(pending[0]?.status?.conditions, 'PodScheduled')).toMatchObject({
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
    expect(conditionIn(after?.status?.conditions, 'Progressing')?.reason).toBe('NewReplicaSetAvailable');
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
    cluster.api.delete(podKind, { namespace: 'default', name: cluster.pods().find((pod) => nodeOf(pod) === 'b')?.metadata.name ?? '' });
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

  test('a job runs its pods side by side until enough have succeeded', async () => {
    using cluster = aTestCluster();
    cluster.kubelets.start(aMachine('a'));
    cluster.api.create(aJob(3, 2, 20));
    await cluster.clock.advance(20_000);
    expect(cluster.api.get(jobs, { namespace: 'default', name: 'work' })?.status).toMatchObject({ active: 2, succeeded: 0 });
    await cluster.clock.advance(2 * MINUTE);
    const status = cluster.api.get(jobs, { namespace: 'default', name: 'work' })?.status;
    expect(status).toMatchObject({ active: 0, succeeded: 3 });
    expect(conditionIn(status?.conditions, 'Complete')?.status).toBe('True');
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
    expect(cluster.api.get(podDisruptionBudgets, key)?.status).toMatchObject({
      ...{ currentHealthy: 4, desiredHealthy: 3, expectedPods: 4, disruptionsAllowed: 1 },
    });
    cluster.api.delete(podKind, { namespace: 'default', name: cluster.pods()[0]?.metadata.name ?? '' });
    await cluster.clock.advance(500);
    expect(cluster.api.get(podDisruptionBudgets, key)?.status).toMatchObject({ disruptionsAllowed: 0 });
  });
});
