import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { ApiObject, User } from '@karpenter/api-server';
import { type EmbeddedCluster, startEmbeddedCluster } from '@karpenter/simulator';
import { crds } from '../testing/clusters/test-cluster.ts';
import { aDeployment, aNodeClass, aPool } from '../testing/clusters/objects.ts';
import { annotateByBinding, annotateByStatus, applyAll, remove } from './apply.ts';
import { describeWithHelm } from './helm.ts';
import { neededValues, renderChart } from './rendered.ts';

const { vnetSubnetId } = neededValues.azure;
const ANNOTATIONS = { 'karpenter.sh/do-not-disrupt': 'true' };
const developer: User = { name: 'dev@example.com', groups: ['developers'] };
const replicaSets: User = { name: 'system:serviceaccount:kube-system:replicaset-controller', groups: ['system:serviceaccounts'] };
const karpenter: User = { name: 'system:serviceaccount:karpenter:karpenter', groups: ['system:serviceaccounts'] };
const administrator: User = { name: 'root', groups: ['system:masters'] };
const platform: User = { name: 'ops@example.com', groups: ['platform'] };

type WithSpec = ApiObject & { readonly spec: object };

const policies = {
  enabled: true,
  doNotDisrupt: { groups: ['system:masters', 'platform'] },
  nodePools: { forbidNeverExpire: true },
  nodeClasses: {
    ...{ maxOsDiskSizeGb: 512, allowedSubnetIds: [vnetSubnetId] },
    ...{ forbidUnsafeSysctls: true, forbidHttpProxy: true, forbidCertificates: true },
  },
};

const podSpec = { containers: [{ name: 'main', image: 'pause' }] };
const template = { metadata: { labels: { app: 'web' }, annotations: ANNOTATIONS }, spec: podSpec };
const selector = { matchLabels: { app: 'web' } };

const named = (apiVersion: string, kind: string, { namespace, ...spec }: Readonly<Record<string, unknown>>): WithSpec => ({
  apiVersion,
  kind,
  metadata: { name: kind.toLowerCase(), ...(typeof namespace === 'string' ? { namespace } : {}) },
  spec,
});

const held = (object: WithSpec): WithSpec => ({ ...object, metadata: { ...object.metadata, annotations: ANNOTATIONS } });

const aPod = named('v1', 'Pod', { namespace: 'default', ...podSpec });
const aNode = named('v1', 'Node', {});
const aClaim = named('karpenter.sh/v1', 'NodeClaim', {
  requirements: [],
  nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
});
const systemPod = named('v1', 'Pod', { namespace: 'kube-system', ...podSpec });

/** A pool as the policies want it; `spec` says what is different. */
const pool = (spec: Parameters<typeof aPool>[1] & object = {}): ApiObject & ReturnType<typeof aPool> =>
  aPool([], { limits: { cpu: '100' }, ...spec });
const expiring = (expireAfter: string): ReturnType<typeof aPool>['spec']['template'] => {
  const { template: of } = pool().spec;
  return { ...of, spec: { ...of.spec, expireAfter } };
};
const goodPool = pool({ template: expiring('720h') });

let cluster: EmbeddedCluster;

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ clock: fakeClock(), azure: false, systemPool: false, crds });
  cluster.create('{apiVersion: v1, kind: Namespace, metadata: {name: karpenter}}');
  await applyAll(cluster, renderChart({ ...neededValues, admissionPolicies: policies }));
});
afterAll(() => cluster.stop());

const seenBy = (user: User) => ({ apiUrl: cluster.apiUrl, kubeconfig: () => cluster.access.kubeconfigOf(user) });

const applyAs = (user: User, object: ApiObject): Promise<void> => applyAll(seenBy(user), [object]);

const take = (object: ApiObject): Promise<void> => remove(cluster, object);

describeWithHelm('who may set do-not-disrupt', () => {
  test.each<[string, WithSpec]>([
    ['a pod', held(aPod)],
    ['a node', held(aNode)],
    ['a claim', held(aClaim)],
    ['the template of a deployment', named('apps/v1', 'Deployment', { namespace: 'default', selector, template })],
    [
      'the template of a replication controller',
      named('v1', 'ReplicationController', { namespace: 'default', selector: selector.matchLabels, template }),
    ],
    ['the template of a stateful set', named('apps/v1', 'StatefulSet', { namespace: 'default', serviceName: 'web', selector, template })],
    ['the template of a daemon set', named('apps/v1', 'DaemonSet', { namespace: 'default', selector, template })],
    [
      'the template of a cron job',
      named('batch/v1', 'CronJob', {
        namespace: 'default',
        schedule: '@daily',
        jobTemplate: { spec: { template: { ...template, spec: { ...podSpec, restartPolicy: 'Never' } } } },
      }),
    ],
    [
      'the template of a NodePool',
      { ...goodPool, spec: { ...goodPool.spec, template: { ...goodPool.spec.template, metadata: { annotations: ANNOTATIONS } } } },
    ],
  ])('a developer may not on %s, a group that is named may', async (_what, object) => {
    await expect(applyAs(developer, object)).rejects.toThrow(/do-not-disrupt.*set only by system:masters, platform/);
    await applyAs(platform, object);
    await take(object);
  });

  test.each<[string, User, WithSpec]>([
    ['an administrator', administrator, held(aPod)],
    ['a controller of the cluster, which copies what a template says', replicaSets, held(aPod)],
    ['Karpenter, which copies what a NodePool says', karpenter, held(aClaim)],
    ['anybody in a namespace that is exempt', developer, held(systemPod)],
    ['anybody without the annotation', developer, aDeployment({ replicas: 0 })],
  ])('%s may', async (_who, user, object) => {
    await applyAs(user, object);
    await take(object);
  });

  test.each<[string, WithSpec]>([
    ['a pod', aPod],
    ['a node', aNode],
  ])('a developer may not by the status of %s, a group that is named may', async (_what, object) => {
    await applyAs(developer, object);
    await expect(annotateByStatus(seenBy(developer), object, ANNOTATIONS)).rejects.toThrow('do-not-disrupt');
    await annotateByStatus(seenBy(developer), object, { 'example.com/note': 'yes' });
    await annotateByStatus(seenBy(platform), object, ANNOTATIONS);
    await take(object);
  });

  test('a developer may not by the binding of a pod, a group that is named may', async () => {
    await applyAs(developer, aPod);
    const bound = { node: 'a', annotations: ANNOTATIONS };
    await expect(annotateByBinding(seenBy(developer), aPod, bound)).rejects.toThrow('do-not-disrupt');
    await annotateByBinding(seenBy(platform), aPod, bound);
    expect(cluster.local.get('Pod', { name: 'pod', namespace: 'default' })).toMatchObject({ metadata: { annotations: ANNOTATIONS } });
    await take(aPod);
  });

  test('what is set already may be kept and taken away by everybody', async () => {
    await applyAs(administrator, held(aPod));
    const { metadata } = held(aPod);
    await applyAs(developer, { ...held(aPod), metadata: { ...metadata, labels: { app: 'web' } } });
    cluster.local.patch('Pod', { name: 'pod', namespace: 'default' }, { type: 'merge', body: { metadata: { annotations: null } } });
    await expect(applyAs(developer, held(aPod))).rejects.toThrow('do-not-disrupt');
    await take(aPod);
  });
});

describeWithHelm('a NodePool', () => {
  test.each<[string, ApiObject, RegExp]>([
    ['without limits', aPool([], { template: expiring('720h') }), /spec\.limits must name/],
    ['with a limit of something else', pool({ template: expiring('720h'), limits: { 'nvidia.com/gpu': '1' } }), /spec\.limits must name/],
    ['whose nodes never expire', pool({ template: expiring('Never') }), /expireAfter must not be Never/],
  ])('%s is refused', async (_what, object, says) => {
    await expect(applyAs(administrator, object)).rejects.toThrow(says);
  });

  test.each<[string, ApiObject]>([
    ['with a limit', goodPool],
    ['of a fixed size', aPool([], { template: expiring('720h'), replicas: 2 })],
  ])('%s is taken, and goes when it is empty', async (_what, object) => {
    await applyAs(developer, object);
    await take(object);
  });

  test('that has nodes goes only when it says that it may', async () => {
    const name = { name: 'general' };
    await applyAs(developer, goodPool);
    cluster.local.patch('NodePool', name, { type: 'merge', subresource: 'status', body: { status: { nodes: 3 } } });
    await expect(take(goodPool)).rejects.toThrow(/NodePool general has nodes, which would go with it/);
    cluster.local.patch('NodePool', name, {
      type: 'merge',
      body: { metadata: { annotations: { 'karpenter.sh/may-be-deleted': 'true' } } },
    });
    await take(goodPool);
    expect(cluster.local.get('NodePool', name)).toBeUndefined();
  });
});

const certificate = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n').toString('base64');

describeWithHelm('an AKSNodeClass', () => {
  test.each<[string, object, RegExp]>([
    ['with a disk that is too large', { osDiskSizeGB: 513 }, /osDiskSizeGB must be at most 512/],
    [
      'in a subnet that is not allowed',
      { vnetSubnetID: vnetSubnetId.replace('nodes', 'others') },
      /vnetSubnetID must be left out or be one of/,
    ],
    [
      'with one more subnet that is not allowed',
      { additionalSubnetIDs: [vnetSubnetId, vnetSubnetId.replace('nodes', 'others')] },
      /additionalSubnetIDs must be left out or be of/,
    ],
    [
      'with pods in a subnet that is not allowed',
      { podSubnetID: vnetSubnetId.replace('nodes', 'pods') },
      /podSubnetID must be left out or be one of/,
    ],
    ['with unsafe sysctls', { kubelet: { allowedUnsafeSysctls: ['kernel.msg*'] } }, /allowedUnsafeSysctls must be left out/],
    ['with a proxy', { httpProxyConfig: { httpProxy: 'http://proxy' } }, /httpProxyConfig must be left out/],
    [
      'with a certificate of a proxy',
      { httpProxyConfig: { httpProxy: 'http://proxy', trustedCa: certificate } },
      /httpProxyConfig must be left out/,
    ],
    [
      'with certificates of its own',
      { security: { customCATrustCertificates: [certificate] } },
      /customCATrustCertificates must be left out/,
    ],
  ])('%s is refused', async (_what, spec, says) => {
    await expect(applyAs(administrator, { ...aNodeClass, spec } as ApiObject)).rejects.toThrow(says);
  });

  test.each<[string, object]>([
    ['with a disk that is not too large', { osDiskSizeGB: 512 }],
    ['in an allowed subnet, however it is spelt', { vnetSubnetID: vnetSubnetId.replace('resourceGroups', 'resourcegroups') }],
    ['in several allowed subnets', { additionalSubnetIDs: [vnetSubnetId] }],
    ['with other settings of kubelets', { kubelet: { cpuManagerPolicy: 'static' } }],
    ['that says nothing', {}],
  ])('%s is taken', async (_what, spec) => {
    await applyAs(developer, { ...aNodeClass, spec } as ApiObject);
    await take(aNodeClass);
  });
});

describeWithHelm('what was there before the guard rails', () => {
  const policyBindings = { kind: 'ValidatingAdmissionPolicyBinding', apiVersion: 'admissionregistration.k8s.io/v1' };
  const unlimited = { ...aPool([], { template: expiring('Never') }), metadata: { name: 'unlimited' } };
  const large = { ...aNodeClass, metadata: { name: 'large' }, spec: { osDiskSizeGB: 1024 } };
  const before: readonly [string, WithSpec, object][] = [
    ['a NodePool', unlimited, { weight: 3 }],
    ['an AKSNodeClass', large, { osDiskSizeGB: 2048 }],
  ];

  beforeAll(() => {
    const rails = cluster.local.list(policyBindings);
    for (const { metadata } of rails) cluster.local.delete(policyBindings, { name: metadata.name ?? '' });
    for (const [, object] of before) cluster.local.create(object);
    for (const { metadata, ...rail } of rails) cluster.local.create({ ...rail, metadata: { name: metadata.name ?? '' } });
  });

  test.each(before)('%s: Karpenter may still write down its hash', async (_what, object) => {
    await applyAs(karpenter, { ...object, metadata: { ...object.metadata, annotations: { 'example.com/hash': '1' } } });
  });

  test.each(before)('%s: another spec is judged', async (_what, object, change) => {
    await expect(applyAs(administrator, { ...object, spec: { ...object.spec, ...change } } as WithSpec)).rejects.toThrow('must');
  });
});
