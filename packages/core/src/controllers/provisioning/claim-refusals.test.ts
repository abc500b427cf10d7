import { expect, test } from '@jest/globals';
import { KubeError } from '@karpenter/runtime';
import type { KubeObject } from '@karpenter/runtime';
import { labels } from '../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { conditionOf } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { labelRequirements } from '../../requirements/index.ts';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import { aKubeNode, aNodeClaim, aNodePool, aPodRequesting } from '../../testing/objects.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { pureDecisions } from '../shell.ts';
import { provisioning } from './provisioning.ts';

const own = { [labels.zone]: 'z1', [labels.capacityType]: 'on-demand' };
const instanceType: InstanceType = {
  name: 'm64',
  requirements: labelRequirements({ ...own, [labels.instanceType]: 'm64', [labels.arch]: 'amd64' }),
  offerings: [{ zone: 'z1', capacityType: 'on-demand', pricePerHour: 1, isAvailable: true, requirements: labelRequirements(own) }],
  capacity: { cpu: 64_000, memory: 2 ** 38, pods: 110, 'example.com/gpu': 8 },
  overhead: {},
};

const weightedPool = (name: string, weight?: number): NodePool & { readonly status: NonNullable<NodePool['status']> } => ({
  ...aNodePool(name, { metadata: { uid: `uid-${name}` }, spec: weight === undefined ? {} : { weight } }),
  status: { conditions: ['ValidationSucceeded', 'NodeClassReady', 'Ready'].map((type) => ({ type, status: 'True' })) },
});

const pendingOneCore = (name: string, nodeSelector: Readonly<Record<string, string>> = {}): Pod => ({
  ...aPodRequesting({ cpu: '1' }, name),
  ...(Object.keys(nodeSelector).length > 0 && { spec: { ...aPodRequesting({ cpu: '1' }).spec, nodeSelector } }),
  status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
});

const causes = [{ field: 'spec.requirements[3].key', message: 'Invalid value: "odd": is restricted' }];
const invalid = new KubeError('NodeClaim is invalid', { code: 'invalid', status: 422, causes, cause: undefined });

/** An API server that refuses some claims. */
class RefusingCluster extends FakeCluster {
  readonly #isRefused: (claim: NodeClaim) => boolean;
  readonly #error: KubeError;
  refusals = 0;

  constructor(isRefused: (claim: NodeClaim) => boolean, error: KubeError) {
    super();
    this.#isRefused = isRefused;
    this.#error = error;
  }

  override create<T extends KubeObject>(kind: string, object: T): Promise<T> {
    if (kind !== 'NodeClaim' || !this.#isRefused(object as unknown as NodeClaim)) return super.create(kind, object);
    this.refusals += 1;
    return Promise.reject(this.#error);
  }
}

const plannedPodNames = ({ metadata }: NodeClaim): readonly string[] =>
  (metadata.annotations?.['karpenter.sh/planned-pods'] ?? '').split(',').sort();

const aRefusalScene = (
  isRefused: (claim: NodeClaim) => boolean,
  objects: { readonly pools: readonly NodePool[]; readonly pods: readonly Pod[] },
  error = invalid,
) => {
  const cluster = new RefusingCluster(isRefused, error);
  for (const pool of objects.pools) cluster.seed('NodePool', pool);
  for (const pod of objects.pods) cluster.seed('Pod', pod);
  const shell = fakeShell(cluster, { getInstanceTypes: () => Promise.resolve([instanceType]) });
  const options = { policy: defaultSchedulingPolicy, batchIdleMs: 1000, batchMaxMs: 10_000, solveMs: 60_000 };
  let plans = 0;
  const planning: typeof pureDecisions.planning = (...args) => {
    plans += 1;
    return pureDecisions.planning(...args);
  };
  const controller = provisioning(shell, { ...pureDecisions, planning }, options);
  return {
    cluster,
    shell,
    pass: async (): Promise<void> => {
      const end = new AbortController();
      await controller.reconcile({ signal: end.signal });
      end.abort();
    },
    claims: (): readonly NodeClaim[] => shell.caches.nodeClaims.list(),
    plans: (): number => plans,
    waiting: (): readonly string[] => shell.state.waitingPods().map(({ metadata }) => metadata.name),
    podsWithEvents: () =>
      shell.reported.flatMap((each) => (each.kind === 'node-claim-invalid' ? each.planned.pods.map(({ metadata }) => metadata.name) : [])),
  };
};

const zoned = { [labels.zone]: 'z1' };

test('when the API server refuses the claims of one pod › the pods planned with it get nodes in the same pass, it is named and held', async () => {
  const pods = [
    ...['a', 'b', 'c'].map((name) => pendingOneCore(name)),
    pendingOneCore('odd', { ...zoned, [labels.arch]: 'amd64' }),
    pendingOneCore('d', zoned),
  ];
  const scene = aRefusalScene((claim) => plannedPodNames(claim).includes('uid-odd'), { pools: [weightedPool('general')], pods });
  await scene.pass();
  expect(scene.claims().flatMap(plannedPodNames).sort()).toEqual(['uid-a', 'uid-b', 'uid-c', 'uid-d']);
  expect(new Set(scene.podsWithEvents())).toEqual(new Set(['odd']));
  expect(scene.shell.reported).toContainEqual(
    expect.objectContaining({ kind: 'node-claim-invalid', message: 'spec.requirements[3].key: Invalid value: "odd": is restricted' }),
  );
  const { refusals } = scene.cluster;
  await scene.shell.clock.advance(30_000);
  await scene.pass();
  expect(scene.cluster.refusals).toBe(refusals);
  await scene.shell.clock.advance(31_000);
  await scene.pass();
  expect(scene.cluster.refusals).toBe(refusals + 1);
});

const inNamespace = (pod: Pod, namespace: string): Pod => ({ ...pod, metadata: { ...pod.metadata, namespace } });

test('when the claims of a pod are refused, and one of another namespace adds the same › that one gets its node, now and later', async () => {
  const pods = [inNamespace(pendingOneCore('odd', zoned), 'odd'), inNamespace(pendingOneCore('shop-a', zoned), 'shop')];
  const scene = aRefusalScene((claim) => plannedPodNames(claim).includes('uid-odd'), { pools: [weightedPool('general')], pods });
  await scene.pass();
  expect(scene.waiting()).toEqual(['odd']);
  scene.cluster.seed('Pod', inNamespace(pendingOneCore('shop-b', zoned), 'shop'));
  await scene.shell.clock.advance(61_000);
  await scene.pass();
  expect(scene.waiting()).toEqual(['odd']);
  expect(new Set(scene.podsWithEvents())).toEqual(new Set(['odd']));
});

test('when the claims of a pod that requests a device are refused › its pool does not pause, and pods that add nothing get nodes', async () => {
  const odd: Pod = { ...pendingOneCore('odd'), spec: aPodRequesting({ cpu: '1', 'example.com/gpu': '1' }).spec };
  const pods = [odd, pendingOneCore('a'), pendingOneCore('b')];
  const scene = aRefusalScene((claim) => plannedPodNames(claim).includes('uid-odd'), { pools: [weightedPool('general')], pods });
  await scene.pass();
  expect(scene.waiting()).toEqual(['odd']);
  expect(new Set(scene.podsWithEvents())).toEqual(new Set(['odd']));
});

const teamPool: NodePool = {
  ...aNodePool('general', {
    metadata: { uid: 'uid-general' },
    nodes: { requirements: [{ key: 'team', operator: 'In', values: ['a', 'b'] }] },
  }),
  status: weightedPool('general').status,
};

/** Pods of one namespace: each adds something of its own, and asks for the team whose claims are denied. */
const deniedPods = (from: number, count: number): readonly Pod[] =>
  Array.from({ length: count }, (_, index) => {
    const pod = pendingOneCore(`denied-${from + index}`, { team: 'a' });
    const own = { key: labels.instanceType, operator: 'NotIn', values: [`none-${from + index}`] } as const;
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [own] }] } };
    return { ...pod, metadata: { ...pod.metadata, namespace: 'denied' }, spec: { ...pod.spec, affinity: { nodeAffinity } } };
  });

const victims = (count: number): readonly Pod[] =>
  Array.from({ length: count }, (_, index) => {
    const pod = pendingOneCore(`victim-${index}`, zoned);
    return { ...pod, metadata: { ...pod.metadata, namespace: `shop-${index}` } };
  });

const isOfDenied = (claim: NodeClaim): boolean => plannedPodNames(claim).some((uid) => uid.startsWith('uid-denied'));

const denial = new KubeError('admission webhook "policy.test.dev" denied the request: team', {
  code: 'forbidden',
  status: 403,
  cause: undefined,
});

test.each([
  [1, 1],
  [15, 1],
  [30, 2],
])(
  'when 40 pods are denied and 6 more come in each pass › those of %i other namespaces have nodes after %i passes',
  async (others, passes) => {
    const scene = aRefusalScene(isOfDenied, { pools: [teamPool], pods: [...deniedPods(0, 40), ...victims(others)] }, denial);
    for (let pass = 0; pass < passes; pass++) {
      await scene.pass();
      for (const pod of deniedPods(40 + 6 * pass, 6)) scene.cluster.seed('Pod', pod);
      await scene.shell.clock.advance(1000);
    }
    expect(scene.waiting().filter((name) => name.startsWith('victim'))).toEqual([]);
    expect(scene.waiting()).toHaveLength(40 + 6 * passes);
  },
);

const deniedReplica = (pod: Pod, uid: string): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, namespace: 'denied', ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: uid, uid }] },
});

const ordinary = (name: string): Pod => {
  const pod = pendingOneCore(name, zoned);
  return { ...pod, metadata: { ...pod.metadata, namespace: 'denied' } };
};

const inOrder = [...deniedPods(0, 100).entries()];

test.each<[string, { readonly denied: readonly Pod[]; readonly others: readonly Pod[] }]>([
  [
    'pods without an owner, the others of a Deployment',
    { denied: deniedPods(0, 100), others: ['a', 'b'].map((name) => deniedReplica(ordinary(`ordinary-${name}`), 'web')) },
  ],
  ['pods without an owner, the others too', { denied: deniedPods(0, 100), others: [ordinary('ordinary-a')] }],
  [
    'pods of a Deployment each, the others of another',
    { denied: inOrder.map(([index, pod]) => deniedReplica(pod, `rs-${index}`)), others: [deniedReplica(ordinary('ordinary-a'), 'web')] },
  ],
])(
  'when 100 %s of the same namespace, and 6 more come in each pass › the others have nodes after one pass, later ones too',
  async (_, { denied, others }) => {
    const scene = aRefusalScene(isOfDenied, { pools: [teamPool], pods: [...denied, ...others] }, denial);
    for (let pass = 0; pass < 3; pass++) {
      await scene.pass();
      expect(scene.waiting().filter((name) => name.startsWith('ordinary'))).toEqual([]);
      for (const pod of deniedPods(100 + 6 * pass, 6)) scene.cluster.seed('Pod', pod);
      scene.cluster.seed('Pod', deniedReplica(ordinary(`ordinary-later-${pass}`), 'web'));
      await scene.shell.clock.advance(1000);
    }
  },
);

/** Passes two minutes apart, with one more victim in each. There is one already. */
const passesWithOneMoreVictim = async ({ shell, cluster, pass }: ReturnType<typeof aRefusalScene>, count: number): Promise<void> => {
  for (let there = 1; there <= count; there++) {
    await shell.clock.advance(121_000);
    for (const pod of victims(there + 1).slice(there)) cluster.seed('Pod', pod);
    await pass();
  }
};

/** A node that is being deleted, with the pods that have to move. */
const seedDrainingNode = ({ cluster }: Pick<ReturnType<typeof aRefusalScene>, 'cluster'>, pods: readonly Pod[]): void => {
  const providerID = 'test://old';
  const metadata = { uid: 'uid-old', deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['karpenter.sh/termination'] };
  cluster.seed('NodeClaim', aNodeClaim('old', { metadata, status: { providerID } }));
  cluster.seed('Node', aKubeNode('old', { spec: { providerID } }));
  for (const pod of pods) cluster.seed('Pod', { ...pod, spec: { ...pod.spec, nodeName: 'old' }, status: { phase: 'Running' } });
};

test('when each pass brings a pod that is denied › pods of a node that drains have their node after the first', async () => {
  const scene = aRefusalScene(isOfDenied, { pools: [teamPool], pods: deniedPods(0, 1) }, denial);
  seedDrainingNode(scene, [pendingOneCore('moving-a', zoned), pendingOneCore('moving-b', zoned)]);
  await scene.pass();
  expect(
    scene
      .claims()
      .flatMap(plannedPodNames)
      .filter((uid) => uid.startsWith('uid-moving'))
      .sort(),
  ).toEqual(['uid-moving-a', 'uid-moving-b']);
});

test('when a pod of a node that drains was refused alone › no other pod shares a claim with it again', async () => {
  const refused: (readonly string[])[] = [];
  const isRefused = (claim: NodeClaim): boolean => isOfDenied(claim) && refused.push(plannedPodNames(claim)) > 0;
  const scene = aRefusalScene(isRefused, { pools: [teamPool], pods: victims(1) }, denial);
  seedDrainingNode(scene, deniedPods(0, 1));
  await scene.pass();
  expect(refused[0]).toEqual(['uid-denied-0', 'uid-victim-0']);
  refused.length = 0;
  await passesWithOneMoreVictim(scene, 3);
  expect(refused).toEqual(Array.from({ length: 3 }, () => ['uid-denied-0']));
});

test('when a pod was refused alone › no other pod shares a claim with it again', async () => {
  const refused: (readonly string[])[] = [];
  const isRefused = (claim: NodeClaim): boolean => isOfDenied(claim) && refused.push(plannedPodNames(claim)) > 0;
  const scene = aRefusalScene(isRefused, { pools: [teamPool], pods: [...deniedPods(0, 1), ...victims(1)] }, denial);
  await scene.pass();
  expect(refused[0]).toEqual(['uid-denied-0', 'uid-victim-0']);
  refused.length = 0;
  await passesWithOneMoreVictim(scene, 5);
  expect(refused).toEqual(Array.from({ length: 5 }, () => ['uid-denied-0']));
});

test('when a pod that was refused alone fits nowhere › an event says why', async () => {
  const scene = aRefusalScene(isOfDenied, { pools: [teamPool], pods: deniedPods(0, 1) }, denial);
  await scene.pass();
  scene.cluster.seed('NodePool', { ...teamPool, spec: { ...teamPool.spec, limits: { cpu: '0' } } });
  await scene.shell.clock.advance(121_000);
  await scene.pass();
  const events = scene.shell.recorded.filter(({ reason }) => reason === 'FailedScheduling');
  expect(events.map(({ subject }) => subject.name)).toEqual(['denied-0']);
});

test('when the pods of refused claims are gone › no plan is made for them', async () => {
  const pods = deniedPods(0, 40);
  const huge = { ...pendingOneCore('huge'), spec: aPodRequesting({ cpu: '1000' }).spec };
  const scene = aRefusalScene(isOfDenied, { pools: [teamPool], pods: [...pods, huge] }, denial);
  await scene.pass();
  expect(scene.plans()).toBe(17);
  for (const pod of pods) scene.cluster.kind('Pod').remove(pod as KubeObject);
  await scene.pass();
  expect([scene.plans(), scene.waiting()]).toEqual([18, ['huge']]);
});

test('when the API server refuses the claims of a pool › its pods get nodes of the next one in the same pass', async () => {
  const scene = aRefusalScene(({ metadata }) => metadata.labels?.[labels.nodePool] === 'aaa', {
    pools: [weightedPool('aaa', 50), weightedPool('general')],
    pods: [pendingOneCore('a'), pendingOneCore('b', zoned)],
  });
  await scene.pass();
  expect(scene.claims().flatMap(plannedPodNames).sort()).toEqual(['uid-a', 'uid-b']);
  expect(scene.shell.state.launches.isAvoided('aaa')).toBe(true);
});

test('when the API server refuses the claims of the only pool › the pool pauses and says why, and its pods wait without more claims', async () => {
  const scene = aRefusalScene(() => true, { pools: [weightedPool('general')], pods: [pendingOneCore('a'), pendingOneCore('b')] });
  await scene.pass();
  await scene.pass();
  expect([scene.cluster.refusals, scene.shell.state.launches.isHeld('general')]).toEqual([2, true]);
  const said = conditionOf(scene.shell.caches.nodePools.get({ name: 'general' })?.status?.conditions, 'LaunchBackoff');
  expect(said).toMatchObject({ status: 'True', reason: 'NodeClaimRefused' });
  expect(said?.message).toContain('Invalid value: "odd": is restricted');
});

test('when the API server refuses claims for the minimum of a pool › pods of other pools get their nodes all the same', async () => {
  const withMinimum = weightedPool('minimal');
  const scene = aRefusalScene(({ metadata }) => metadata.labels?.[labels.nodePool] === 'minimal', {
    pools: [{ ...withMinimum, spec: { ...withMinimum.spec, minimum: { nodes: 1 } } }, weightedPool('general', 50)],
    pods: [pendingOneCore('a')],
  });
  await scene.pass();
  await scene.pass();
  expect(scene.claims().flatMap(plannedPodNames)).toEqual(['uid-a']);
  expect(scene.shell.state.launches.isHeld('minimal')).toBe(true);
});

test.each([
  ['a webhook', 'admission webhook "policy.test.dev" denied the request: no owner', { code: 'forbidden', status: 403 }],
  ['a webhook that answers 400', 'admission webhook "policy.test.dev" denied the request: no owner', { code: 'invalid', status: 400 }],
  ['a policy', `"a" is forbidden: ValidatingAdmissionPolicy 'owners' with binding 'all' denied request: no owner`, { code: 'forbidden' }],
] as const)('when %s denies the claims of a pool › its pods get nodes of the next one in the same pass', async (_, message, details) => {
  const error = new KubeError(message, { ...details, cause: undefined });
  const pools = [weightedPool('aaa', 50), weightedPool('general')];
  const scene = aRefusalScene(
    ({ metadata }) => metadata.labels?.[labels.nodePool] === 'aaa',
    { pools, pods: [pendingOneCore('a')] },
    error,
  );
  await scene.pass();
  expect(scene.claims().flatMap(plannedPodNames)).toEqual(['uid-a']);
  expect(scene.shell.reported).toContainEqual(expect.objectContaining({ kind: 'node-claim-invalid', message }));
});

test.each([
  ['pods that add nothing', {}],
  ['pods that add something', zoned],
])('when a policy that denied the claims for %s is gone › they get their node two minutes later', async (_, nodeSelector) => {
  const message = 'admission webhook "policy.test.dev" denied the request: no owner';
  const error = new KubeError(message, { code: 'forbidden', status: 403, cause: undefined });
  let isThere = true;
  const scene = aRefusalScene(() => isThere, { pools: [weightedPool('general')], pods: [pendingOneCore('a', nodeSelector)] }, error);
  for (let pass = 0; pass < 7; pass++) {
    await scene.pass();
    await scene.shell.clock.advance(120_000);
  }
  expect(scene.claims()).toEqual([]);
  isThere = false;
  await scene.shell.clock.advance(120_000);
  await scene.pass();
  expect(scene.claims().flatMap(plannedPodNames)).toEqual(['uid-a']);
});

test('when Karpenter may not create claims › the pass fails, and says so', async () => {
  const message = 'nodeclaims.karpenter.sh is forbidden: User "karpenter" cannot create resource "nodeclaims"';
  const error = new KubeError(message, { code: 'forbidden', status: 403, cause: undefined });
  const scene = aRefusalScene(() => true, { pools: [weightedPool('general')], pods: [pendingOneCore('a')] }, error);
  await expect(scene.pass()).rejects.toThrow(message);
});
