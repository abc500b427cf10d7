import { afterAll, describe, expect, jest, test } from '@jest/globals';
import type { Access, ApiObject } from '@karpenter/api-server';
import type { EmbeddedClusterOptions } from '@karpenter/simulator';
import { copiedBundle } from '../testing/processes/bundle.ts';
import { claimsOf, isRunning, nodesOf, podsOf } from '../testing/clusters/cluster-census.ts';
import { startControllerProcess } from '../testing/processes/controller-process.ts';
import { eventually } from '../testing/eventually.ts';
import { leapingClock } from '../testing/stories/leaping-clock.ts';
import { aDeployment, aNodeClass, aPool, oneOf } from '../testing/clusters/objects.ts';
import { Story } from '../testing/stories/story.ts';
import { startTestCluster, type TestCluster } from '../testing/clusters/test-cluster.ts';
import { everythingOn } from './everything-on.ts';
import { describeWithHelm } from './helm.ts';
import { account, install } from './installed.ts';
import { POD_GROUP_KIND, SERVICE_MONITOR_KINDS } from './kinds-of-others.ts';
import { renderChart } from './rendered.ts';
import { grantsIn, grantsNeededBy } from './rights.ts';

jest.setTimeout(240_000);

const bundle = copiedBundle();
afterAll(() => bundle[Symbol.dispose]());

/** A cluster that lets nobody do what no role grants, and writes no owner for those who may not hold that one up. */
const guarded: EmbeddedClusterOptions = { authorization: 'RBAC', ownerReferencesPermissionEnforcement: true };

/** What the service account has asked for in these tests. */
const asked: Access[] = [];

const ownAccesses = ({ access }: TestCluster): readonly Access[] => access.accesses().filter(({ user }) => user === account.name);

const refusedIn = (cluster: TestCluster): readonly Access[] => ownAccesses(cluster).filter(({ wasAllowed }) => !wasAllowed);

const runsAgain = (story: Story): Promise<void> => story.until('both pods run', () => podsOf(story.cluster).filter(isRunning).length === 2);

const anOverlay: ApiObject & { readonly spec: object } = {
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'NodeOverlay',
  metadata: { name: 'reserved' },
  spec: { requirements: [{ key: 'karpenter.azure.com/sku-family', operator: 'In', values: ['D'] }], priceAdjustment: '-10%' },
};

const aRebalance = { apiVersion: 'karpenter.sh/v1alpha1', kind: 'RebalancePlan', metadata: { name: 'now' }, spec: {} };

/** A buffer that asks for no room, of something that need not exist. */
const aBufferOf = (name: string, ref: object): ApiObject & { readonly spec: object } => ({
  apiVersion: 'autoscaling.x-k8s.io/v1beta1',
  kind: 'CapacityBuffer',
  metadata: { name, namespace: 'default' },
  spec: { replicas: 0, ...ref },
});

const buffersOfEverything = [
  aBufferOf('template', { podTemplateRef: { name: 'none' } }),
  ...['Deployment', 'StatefulSet', 'ReplicaSet'].map((kind) => aBufferOf(kind.toLowerCase(), { scalableRef: { kind, name: 'none' } })),
];

const aBudgetOfNone: ApiObject & { readonly spec: object } = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'inflate', namespace: 'default' },
  spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'inflate' } } },
};

/** A pool whose nodes drain just long enough for an event to repeat. */
const impatientPool = (): ApiObject => {
  const pool = aPool([oneOf('karpenter.azure.com/sku-cpu', '4')]);
  const { template } = pool.spec;
  return {
    ...pool,
    spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, terminationGracePeriod: '170s' } } },
  } as ApiObject;
};

/** A claim that somebody takes away with force leaves its machine behind. Returns its name. */
const loseClaim = ({ cluster }: Story): string => {
  const name = claimsOf(cluster)[0]?.metadata.name ?? '';
  cluster.local.delete('NodeClaim', { name });
  cluster.local.patch('NodeClaim', { name }, { type: 'merge', body: { metadata: { finalizers: null } } });
  return name;
};

describeWithHelm('the roles of the chart', () => {
  test('let the bundled controller start with the default values, hold the lease, make a node, and end', async () => {
    await using cluster = await startTestCluster(guarded);
    const env = await install(cluster);
    await using controller = startControllerProcess({ bundle, env: { ...env, METRICS_PORT: '0', HEALTH_PROBE_PORT: '0' } });
    await controller.said('became the leader');
    for (const object of [aNodeClass, aPool(), aDeployment({ replicas: 1 })]) cluster.local.create(object);
    await eventually('a machine is requested', () => cluster.arm.vms().length > 0);
    expect(await controller.kill('SIGTERM')).toMatchObject({ code: 0 });
    expect(refusedIn(cluster)).toEqual([]);
    asked.push(...ownAccesses(cluster));
  });

  test('let everything that can be switched on do its work', async () => {
    const { settings, metrics, admissionPolicies, networkPolicy } = everythingOn;
    const clock = leapingClock();
    const cluster = await startTestCluster({ ...guarded, clock, azure: { pollAfterSeconds: 0 } });
    cluster.create(SERVICE_MONITOR_KINDS);
    cluster.create(POD_GROUP_KIND);
    await using story = new Story(cluster, clock);
    const env = await install(cluster, {
      settings,
      metrics,
      admissionPolicies,
      networkPolicy,
      azure: { dnsServiceIp: '', systemNamespace: 'kube-system' },
    });
    story.create(aNodeClass, anOverlay, aRebalance, ...buffersOfEverything, impatientPool(), aDeployment({ replicas: 2 }));
    await story.start(env);
    await runsAgain(story);

    story.create(aBudgetOfNone);
    const [first] = nodesOf(cluster);
    cluster.local.delete('Node', { name: first?.metadata.name ?? '' });
    await story.until('the first node is gone', () => nodesOf(cluster).every(({ metadata }) => metadata.name !== first?.metadata.name));
    expect(story.reported('Node', 'FailedDraining')).not.toEqual([]);
    await runsAgain(story);

    cluster.local.delete('PodDisruptionBudget', { name: 'inflate', namespace: 'default' });
    const lost = loseClaim(story);
    await story.until('the machine without a claim is gone', () => cluster.arm.vms().every(({ name }) => !name.includes(lost)));
    await runsAgain(story);

    story.scale('inflate', 0);
    await story.until('all nodes are gone', () => claimsOf(cluster).length === 0 && cluster.arm.vms().length === 0);
    expect(refusedIn(cluster)).toEqual([]);
    asked.push(...ownAccesses(cluster));
  });

  describe('compared with the recorded requests', () => {
    test('grant all of it, and nothing else: no other namespace, no other name', () => {
      expect(grantsIn(renderChart(everythingOn))).toEqual(grantsNeededBy(asked));
    });
  });
});
