import { describe, expect, test } from '@jest/globals';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import { aMachine, aTestCluster } from '../fixtures/test-cluster.ts';
import { aDeployment, aJob } from '../fixtures/workloads.ts';
import { conditionIn } from '../objects/conditions.ts';
import { type CronJob, cronJobs, deployments, jobs } from '../objects/workload.ts';

const MINUTE = 60_000;
const web = { name: 'web', namespace: 'default' };

interface Loose extends ApiObject {
  readonly status?: Readonly<Record<string, unknown>>;
  readonly endpoints?: readonly unknown[];
  readonly ports?: readonly unknown[];
}

const slices: KindRef<Loose> = { kind: 'EndpointSlice', apiVersion: 'discovery.k8s.io/v1' };
const autoscalers: KindRef<Loose> = { kind: 'HorizontalPodAutoscaler', apiVersion: 'autoscaling/v2' };
const quotas: KindRef<Loose> = { kind: 'ResourceQuota', apiVersion: 'v1' };

const clusterWithNode = () => {
  const cluster = aTestCluster();
  cluster.kubelets.start(aMachine('a'));
  return cluster;
};

const aCronJob = (more: Partial<CronJob['spec']>): CronJob => {
  const { spec } = aJob(1, 1, 90);
  return {
    ...{ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'tick', namespace: 'default' } },
    spec: { schedule: '* * * * *', jobTemplate: { spec }, ...more },
  };
};

describe('a cron job', () => {
  test('starts a job each minute and keeps the three last that succeeded', async () => {
    using cluster = clusterWithNode();
    cluster.api.create(aCronJob({}));
    await cluster.clock.advance(2 * MINUTE + 15_000);
    expect(cluster.api.list(jobs)).toHaveLength(2);
    await cluster.clock.advance(8 * MINUTE);
    const succeeded = cluster.api.list(jobs).filter(({ status }) => conditionIn(status?.conditions, 'Complete') !== undefined);
    expect(succeeded).toHaveLength(3);
    expect(cluster.api.get(cronJobs, { name: 'tick', namespace: 'default' })?.status?.lastScheduleTime).toMatch(/:00Z$/);
  });

  test('that forbids overlap leaves out what comes up while a job runs, and a suspended one runs none', async () => {
    using cluster = clusterWithNode();
    cluster.api.create(aCronJob({ concurrencyPolicy: 'Forbid' }));
    cluster.api.create({ ...aCronJob({ suspend: true }), metadata: { name: 'quiet', namespace: 'default' } });
    for (let seconds = 0; seconds < 300; seconds += 10) {
      await cluster.clock.advance(10_000);
      const running = cluster.api.list(jobs).filter(({ status }) => conditionIn(status?.conditions, 'Complete') === undefined);
      expect(running.length).toBeLessThanOrEqual(1);
    }
    expect(cluster.api.list(jobs).every(({ metadata }) => metadata.name?.startsWith('tick-'))).toBe(true);
  });
});

test('a job whose pods do not say how long they run is complete after a minute', async () => {
  using cluster = clusterWithNode();
  const job = aJob(1, 1, 0);
  const { template } = job.spec;
  cluster.api.create({ ...job, spec: { ...job.spec, template: { spec: template.spec } } });
  await cluster.clock.advance(50_000);
  expect(cluster.api.list(jobs)[0]?.status).toMatchObject({ active: 1 });
  await cluster.clock.advance(MINUTE);
  expect(cluster.api.list(jobs)[0]?.status).toMatchObject({ succeeded: 1 });
});

describe('a service with a selector', () => {
  test('has the addresses of its pods in a slice, and loses them with the pods', async () => {
    using cluster = clusterWithNode();
    cluster.api.create({
      ...{ apiVersion: 'v1', kind: 'Service', metadata: web },
      spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    cluster.api.create(aDeployment(2));
    await cluster.clock.advance(MINUTE);
    const [slice] = cluster.api.list(slices);
    expect(slice?.metadata.labels).toMatchObject({ 'kubernetes.io/service-name': 'web' });
    expect(slice?.ports).toEqual([{ name: '', port: 8080, protocol: 'TCP' }]);
    expect(slice?.endpoints).toEqual(
      cluster.pods().map(({ status }) => expect.objectContaining({ addresses: [status?.podIP], nodeName: 'a' })),
    );
    cluster.api.patch(deployments, web, { type: 'merge', body: { spec: { replicas: 0 } } });
    await cluster.clock.advance(MINUTE);
    expect(cluster.api.list(slices)[0]?.endpoints ?? []).toEqual([]);
  });
});

describe('an autoscaler', () => {
  test('brings replicas within its bounds and shows the cpu of the pods', async () => {
    using cluster = clusterWithNode();
    cluster.api.create(aDeployment(1));
    cluster.api.create({
      ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: web },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas: 3, maxReplicas: 4 },
    });
    await cluster.clock.advance(MINUTE);
    expect(cluster.api.get(deployments, web)?.spec.replicas).toBe(3);
    const status = cluster.api.list(autoscalers)[0]?.status;
    expect(status).toMatchObject({ currentReplicas: 3, desiredReplicas: 3, conditions: [{ type: 'ScalingActive', status: 'True' }] });
    expect(JSON.stringify(status)).toMatch(/"averageUtilization":[345]\d/);
  });
});

describe('a resource quota', () => {
  test('lets no more in than it says, and counts again what went', async () => {
    using cluster = clusterWithNode();
    cluster.api.create({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: web, spec: { hard: { pods: '3', 'requests.cpu': '2' } } });
    cluster.api.create(aDeployment(4));
    await cluster.clock.advance(MINUTE);
    expect(cluster.pods()).toHaveLength(2);
    expect(cluster.api.get(quotas, web)?.status).toEqual({
      hard: { pods: '3', 'requests.cpu': '2' },
      used: { pods: '2', 'requests.cpu': '2' },
    });
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one', namespace: 'default' } };
    const asking = (resources: object) => ({ ...pod, spec: { containers: [{ name: 'c', image: 'c', resources }] } });
    expect(() => cluster.api.create(asking({ requests: { cpu: '1' } }))).toThrow(
      'pods "one" is forbidden: exceeded quota: web, requested: requests.cpu=1, used: requests.cpu=2, limited: requests.cpu=2',
    );
    expect(() => cluster.api.create(asking({}))).toThrow('failed quota: web: must specify requests.cpu for: c');
    cluster.api.patch(deployments, web, { type: 'merge', body: { spec: { replicas: 1 } } });
    await cluster.clock.advance(MINUTE);
    expect(cluster.api.get(quotas, web)?.status).toMatchObject({ used: { pods: '1', 'requests.cpu': '1' } });
  });
});
