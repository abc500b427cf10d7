import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { NodeClaim, NodePool } from '../apis/index.ts';
import type { InstanceType } from '../catalog/index.ts';
import type { CloudProvider } from '../cloudprovider/index.ts';
import type { Condition, Node, Pod } from '../kube/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import { defaultLabelCatalog } from '../requirements/index.ts';
import { aKubeNode, aNodeClaim, nodeClassRef, aPendingPod, podNames } from '../testing/objects.ts';
import { ClusterState, machineKeyOf } from './cluster-state.ts';
import type { ExpectedClaim } from './machines/expected-claims.ts';
import { PLANNED_PODS_ANNOTATION } from './pods/nominations.ts';

const NOMINATION_MS = 20_000;
const trueCondition = (type: string): Condition => ({ type, status: 'True' });
const m4: InstanceType = { name: 'm4', requirements: new Map(), offerings: [], capacity: { cpu: 4000 }, overhead: {} };
const m8: InstanceType = { ...m4, name: 'm8', capacity: { cpu: 8000 } };

const provider = {
  name: 'test',
  getSupportedNodeClasses: () => [{ ...nodeClassRef, version: 'v1', plural: 'testnodeclasses' }],
  labelCatalog: defaultLabelCatalog,
  repairPolicies: [],
  getInstanceTypes: () => Promise.resolve([m4, m8]),
} as unknown as CloudProvider;

const pool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: { template: { spec: { requirements: [], nodeClassRef } } },
  status: { conditions: [trueCondition('Ready')] },
};
const bound = (name: string, nodeName: string): Pod => ({
  ...aPendingPod(name),
  spec: { containers: [], nodeName },
  status: { phase: 'Running' },
});

const plannedClaim = (
  parts: Partial<Pick<NodeClaim, 'status'>> & { readonly plannedPods?: string; readonly types?: readonly string[] } = {},
): NodeClaim =>
  aNodeClaim('general-1', {
    metadata: {
      labels: { 'karpenter.sh/nodepool': 'general' },
      annotations: { [PLANNED_PODS_ANNOTATION]: parts.plannedPods ?? '' },
    },
    spec: {
      requirements: [
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: parts.types ?? ['m4', 'm8'] },
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z1'] },
      ],
      startupTaints: [{ key: 'agent', effect: 'NoSchedule' }],
      resources: { requests: { cpu: '3' } },
    },
    ...(parts.status === undefined ? {} : { status: parts.status }),
  });

const launched: NodeClaim['status'] = {
  providerID: 'test:///1',
  capacity: { cpu: '4' },
  allocatable: { cpu: '3900m' },
  conditions: [trueCondition('Launched')],
};

const readyNode = (labels: Record<string, string> = {}, taints: NonNullable<Node['spec']>['taints'] = []): Node =>
  aKubeNode('n', {
    metadata: { labels },
    spec: { providerID: 'test:///1', ...(taints.length === 0 ? {} : { taints }) },
    status: {
      capacity: { cpu: '4' },
      allocatable: { cpu: '3800m', pods: '110', 'example.com/gpu': '0' },
      conditions: [trueCondition('Ready')],
    },
  });
const up = { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true', 'karpenter.sh/nodepool': 'general' };

const aClusterState = async () => {
  const cluster = new FakeCluster();
  cluster.seed('NodePool', pool);
  const clock = fakeClock();
  const reporter = { report: () => undefined };
  const state = new ClusterState({ caches: cluster.caches, provider, clock, reporter, nominationMs: NOMINATION_MS });
  await state.refreshCatalogs(new AbortController().signal);
  const snapshot = () => state.snapshot(clock.now());
  return { cluster, clock, state, snapshot, theNode: () => snapshot().nodes[0] };
};

describe('a pod for which kube-scheduler ends others', () => {
  const preempting = (nominatedNodeName: string): Pod => {
    const pod = aPendingPod('p');
    return { ...pod, status: { ...pod.status, nominatedNodeName } };
  };

  test('when these take longer than a minute to leave › waits for a node as any other', async () => {
    const { cluster, clock, snapshot } = await aClusterState();
    cluster.seed('Pod', preempting('n'));
    await clock.advance(30_000);
    cluster.seed('Pod', { ...preempting('n'), metadata: { ...aPendingPod('p').metadata, labels: { touched: 'meanwhile' } } });
    await clock.advance(29_999);
    expect(podNames(snapshot().pendingPods)).toEqual([]);
    await clock.advance(1);
    expect(podNames(snapshot().pendingPods)).toEqual(['p']);
  });

  test('when kube-scheduler has chosen another node meanwhile › waits for a minute from then on', async () => {
    const { cluster, clock, snapshot } = await aClusterState();
    cluster.seed('Pod', preempting('n'));
    await clock.advance(50_000);
    cluster.seed('Pod', preempting('other'));
    await clock.advance(59_999);
    expect(podNames(snapshot().pendingPods)).toEqual([]);
    await clock.advance(1);
    expect(podNames(snapshot().pendingPods)).toEqual(['p']);
  });

  test('when it has its node › waits no longer', async () => {
    const { cluster, clock, snapshot } = await aClusterState();
    cluster.seed('Pod', preempting('n'));
    await clock.advance(90_000);
    cluster.seed('Pod', bound('p', 'n'));
    expect(podNames(snapshot().pendingPods)).toEqual([]);
  });
});

describe('a claim', () => {
  test('that has not launched is a place as large as what was planned, with the labels that are certain', async () => {
    const { cluster, theNode } = await aClusterState();
    cluster.seed('NodeClaim', plannedClaim());
    expect(theNode()).toMatchObject({
      name: 'general-1',
      hasNode: false,
      allocatable: { cpu: 3000 },
      labels: { 'topology.kubernetes.io/zone': 'z1', 'karpenter.sh/nodepool': 'general', 'kubernetes.io/hostname': 'general-1' },
    });
    expect(theNode()?.labels['node.kubernetes.io/instance-type']).toBeUndefined();
  });

  test('that has not launched counts against limits as the largest machine that it may become, then as what it is', async () => {
    const { cluster, state } = await aClusterState();
    cluster.seed('NodeClaim', plannedClaim());
    expect(state.usageOf('general')).toEqual({ cpu: 8000, nodes: 1 });
    cluster.seed('NodeClaim', plannedClaim({ status: launched }));
    expect(state.usageOf('general')).toMatchObject({ cpu: 4000, nodes: 1 });
    cluster.kind('NodeClaim').remove(cluster.kind('NodeClaim').get({ name: 'general-1' }));
    expect(state.usageOf('general')).toMatchObject({ cpu: 0, nodes: 0 });
  });

  test('that was requested counts and takes care of its pods before the cache shows it, and no more once it is known not to come', async () => {
    const { cluster, state, snapshot } = await aClusterState();
    cluster.seed('Pod', aPendingPod('p'));
    const report = { kind: 'node-claim-created', reason: 'provisioned' } as ExpectedClaim['report'];
    state.expected.expect(plannedClaim({ plannedPods: 'p' }), report);
    expect(state.usageOf('general')).toEqual({ cpu: 8000, nodes: 1 });
    expect([snapshot().pendingPods, podNames(snapshot().nodes[0]?.pods)]).toEqual([[], ['p']]);
    state.expected.answerLost('general-1');
    expect(state.expected.unanswered()).toHaveLength(1);
    state.expected.settle('general-1');
    expect(state.usageOf('general')).toMatchObject({ cpu: 0, nodes: 0 });
    expect([podNames(snapshot().pendingPods), snapshot().nodes]).toEqual([['p'], []]);
  });

  describe('whose provider id another node states too', () => {
    const stating = (name: string, createdAt: string): Node => ({
      ...readyNode(up),
      metadata: { name, labels: up, creationTimestamp: createdAt },
    });
    const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];

    test.each([
      ['a', late],
      ['a', early],
      ['z', early],
    ])('when it names its node › the other, called %s and of %s, is none of its nodes and takes no pods', async (name, createdAt) => {
      const { cluster, state, snapshot } = await aClusterState();
      cluster.seed('NodeClaim', plannedClaim({ status: { ...launched, nodeName: 'n' } }));
      const [own, other] = [stating('n', late), stating(name, createdAt)];
      cluster.seed('Node', own);
      cluster.seed('Pod', bound('web', 'n'));
      cluster.seed('Node', other);
      expect(snapshot().nodes.map((node) => [node.name, podNames(node.pods)])).toEqual([['n', ['web']]]);
      expect([state.claimOf(own)?.metadata.name, state.claimOf(other)]).toEqual(['general-1', undefined]);
      cluster.seed('Node', { ...other, metadata: { ...other.metadata, annotations: { changed: 'yes' } } });
      expect(snapshot().nodes.map((node) => node.name)).toEqual(['n']);
      cluster.kind('Node').remove(cluster.kind('Node').get({ name }));
      expect(snapshot().nodes.map((node) => [node.name, podNames(node.pods)])).toEqual([['n', ['web']]]);
    });

    test('when it names none yet › the node that came first is its node', async () => {
      const { cluster, state } = await aClusterState();
      cluster.seed('NodeClaim', plannedClaim({ status: launched }));
      for (const node of [stating('a', late), stating('n', early)]) cluster.seed('Node', node);
      expect(state.nodesWith('test:///1').map(({ metadata: { name } }) => name)).toEqual(['n', 'a']);
      expect(state.claimOnNode('n')?.metadata.name).toBe('general-1');
      expect(state.claimOnNode('a')).toBeUndefined();
    });
  });

  describe('whose provider id the status of another claim states too', () => {
    const claimCalled = (name: string, createdAt: string): NodeClaim => {
      const claim = plannedClaim({ status: launched });
      return { ...claim, metadata: { ...claim.metadata, name, uid: `uid-${name}`, creationTimestamp: createdAt } };
    };
    const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
    const owned = { ...readyNode(up), metadata: { name: 'n', labels: up } };

    test.each([
      ['when its node names it as owner › the other, which is older', 'z', early, true],
      ['when its node names none › the other, which is newer', 'a', late, false],
    ])('%s, has no machine, no node and no place for pods, and takes none away', async (...[, name, createdAt, isNamed]) => {
      const { cluster, state, snapshot } = await aClusterState();
      const [own, other] = [claimCalled('general-1', '2026-01-01T12:00:00Z'), claimCalled(name, createdAt)];
      const ownerReferences = [{ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name: 'general-1', uid: 'uid-general-1' }];
      for (const claim of [own, other]) cluster.seed('NodeClaim', claim);
      cluster.seed('Node', { ...owned, metadata: { ...owned.metadata, ...(isNamed && { ownerReferences }) } });
      const seen = () => snapshot().nodes.map((view) => [view.name, view.claim?.metadata.name]);
      expect(seen()).toEqual([['n', 'general-1']]);
      expect(state.usageOf('general')).toMatchObject({ nodes: 1 });
      expect([own, other].map((claim) => state.nodesOf(claim).length)).toEqual([1, 0]);
      cluster.kind('NodeClaim').remove(cluster.kind('NodeClaim').get({ name }));
      expect(seen()).toEqual([['n', 'general-1']]);
    });

    test('when it is gone › the other has the machine', async () => {
      const { cluster, snapshot } = await aClusterState();
      for (const claim of [claimCalled('general-1', early), claimCalled('z', late)]) cluster.seed('NodeClaim', claim);
      cluster.seed('Node', owned);
      cluster.kind('NodeClaim').remove(cluster.kind('NodeClaim').get({ name: 'general-1' }));
      expect(snapshot().nodes.map((view) => [view.name, view.claim?.metadata.name])).toEqual([['n', 'z']]);
    });
  });

  test('that was requested is the one that the cache shows then', async () => {
    const { cluster, state, snapshot } = await aClusterState();
    state.expected.expect(plannedClaim(), { kind: 'node-claim-created', reason: 'provisioned' } as ExpectedClaim['report']);
    cluster.seed('NodeClaim', plannedClaim({ status: launched }));
    state.expected.settle('general-1');
    expect(snapshot().nodes).toHaveLength(1);
    expect(state.usageOf('general')).toMatchObject({ cpu: 4000, nodes: 1 });
  });

  test('and its node are one machine from registration on; until it is initialized, startup and ephemeral taints do not count', async () => {
    const { cluster, snapshot } = await aClusterState();
    cluster.seed(
      'Node',
      readyNode({ 'karpenter.sh/registered': 'true' }, [
        { key: 'agent', effect: 'NoSchedule' },
        { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
        { key: 'readiness.k8s.io/some-rule', effect: 'NoExecute' },
        { key: 'team', effect: 'NoSchedule' },
      ]),
    );
    cluster.seed('NodeClaim', plannedClaim({ status: { ...launched, allocatable: { cpu: '3900m', 'example.com/gpu': '2' } } }));
    expect(snapshot().nodes).toHaveLength(1);
    expect(snapshot().nodes[0]).toMatchObject({
      name: 'n',
      taints: [{ key: 'team' }],
      allocatable: { cpu: 3800, 'example.com/gpu': 2 },
      isRegistered: true,
      isInitialized: false,
    });
  });
});

test('a node that no claim owns keeps its ephemeral taints, and one that is initialized gets them back', async () => {
  const { cluster, snapshot } = await aClusterState();
  const taints = ['node.kubernetes.io/not-ready', 'readiness.k8s.io/some-rule', 'agent'].map(
    (key) => ({ key, effect: 'NoSchedule' }) as const,
  );
  cluster.seed('Node', readyNode({}, taints));
  expect(snapshot().nodes[0]?.taints).toEqual(taints);
  cluster.seed('NodeClaim', plannedClaim({ status: launched }));
  expect(snapshot().nodes[0]?.taints).toEqual([]);
  cluster.seed('Node', readyNode(up, taints));
  expect(snapshot().nodes[0]?.taints).toEqual(taints);
});

describe('a snapshot', () => {
  test('says what picks pods only where that is followed', async () => {
    const { cluster, snapshot } = await aClusterState();
    expect(snapshot()).not.toHaveProperty('podSelectors');
    const clock = fakeClock();
    const caches = { ...cluster.caches, podSelectors: [cluster.kind('Service')] };
    const options = { caches, provider, clock, reporter: { report: () => undefined }, nominationMs: NOMINATION_MS };
    const state = new ClusterState(options);
    expect(state.snapshot(clock.now()).podSelectors).toEqual([]);
    cluster.seed('Service', { metadata: { name: 'web' } });
    expect(state.snapshot(clock.now()).podSelectors).toMatchObject([{ metadata: { name: 'web' } }]);
  });

  test('shares what did not change', async () => {
    const { cluster, snapshot } = await aClusterState();
    cluster.seed('Node', { ...readyNode(up), metadata: { name: 'other' }, spec: { providerID: 'test:///2' } });
    cluster.seed('Node', readyNode(up));
    const before = snapshot();
    expect(snapshot().nodes).toBe(before.nodes);
    cluster.seed('Pod', bound('web', 'n'));
    const after = snapshot();
    expect(after.nodes.find(({ name }) => name === 'other')).toBe(before.nodes.find(({ name }) => name === 'other'));
    expect(podNames(after.nodes.find(({ name }) => name === 'n')?.pods)).toEqual(['web']);
  });

  test.each<[string, Partial<NodePool>]>([
    ['is not ready', { status: {} }],
    ['is going', { metadata: { name: 'general', deletionTimestamp: '2026-01-01T00:00:00Z' } }],
    ['is static', { spec: { ...pool.spec, replicas: 1 } }],
  ])('keeps a pool that %s, with its prices, and launches nothing for it', async (_, change) => {
    const { cluster, snapshot } = await aClusterState();
    expect(snapshot().nodePools).toMatchObject([{ nodePool: { metadata: { name: 'general' } }, instanceTypes: [m4, m8] }]);
    expect(snapshot().nodePools[0]).not.toHaveProperty('mayLaunch');
    cluster.seed('NodePool', { ...pool, ...change });
    expect(snapshot().nodePools).toMatchObject([
      { nodePool: { metadata: { name: 'general' } }, instanceTypes: [m4, m8], mayLaunch: false },
    ]);
  });

  test('says of a pool that launches nothing for now what keeps it', async () => {
    const { cluster, state, snapshot } = await aClusterState();
    const blockIs = (block: string | undefined) => expect(snapshot().nodePools[0]?.launchBlock).toBe(block);
    blockIs(undefined);
    const fail = (claimName: string): void =>
      state.launches.failed('general', { claimName, step: 'launched', cause: 'LaunchFailed', message: 'no' });
    fail('an-old-one');
    state.expected.expect(plannedClaim(), { kind: 'node-claim-created', reason: 'provisioned' } as ExpectedClaim['report']);
    fail('another-old-one');
    blockIs(undefined);
    fail(plannedClaim().metadata.name);
    blockIs('launches-failing');
    cluster.seed('NodePool', { ...pool, status: {} });
    blockIs('not-ready');
    cluster.seed('NodePool', { ...pool, spec: { ...pool.spec, replicas: 1 } });
    blockIs('static');
  });

  test('leaves out a pool of another provider', async () => {
    const { cluster, snapshot } = await aClusterState();
    const template = { spec: { requirements: [], nodeClassRef: { ...nodeClassRef, kind: 'ForeignNodeClass' } } };
    cluster.seed('NodePool', { ...pool, spec: { template } });
    expect(snapshot()).toMatchObject({ nodePools: [], foreignPools: ['general'] });
  });
});

describe('a pod of an earlier snapshot', () => {
  test.each<[string, boolean, (cluster: FakeCluster) => void]>([
    ['nothing happened to', true, () => undefined],
    ['was bound', false, (cluster) => cluster.seed('Pod', bound('web', 'n1'))],
    ['was deleted', false, (cluster) => cluster.kind('Pod').remove(cluster.kind('Pod').get({ name: 'web', namespace: 'default' }))],
    ['a claim was made for', false, (cluster) => cluster.seed('NodeClaim', plannedClaim({ plannedPods: 'web' }))],
  ])('that %s since: whether it still wants a place is %s', async (_, expected, happen) => {
    const { cluster, state, snapshot } = await aClusterState();
    cluster.seed('Pod', aPendingPod('web'));
    const [pod] = snapshot().pendingPods;
    happen(cluster);
    expect(pod !== undefined && state.wantsPlace(pod)).toBe(expected);
  });
});

describe('a pod that a claim was made for', () => {
  test('is not planned again, counts on the claim, and is free once it is bound elsewhere', async () => {
    const { cluster, snapshot, theNode } = await aClusterState();
    cluster.seed('Pod', aPendingPod('web'));
    cluster.seed('Pod', aPendingPod('other'));
    cluster.seed('NodeClaim', plannedClaim({ plannedPods: 'web' }));
    expect(podNames(snapshot().pendingPods)).toEqual(['other']);
    expect(podNames(theNode()?.pods)).toEqual(['web']);
    cluster.seed('Pod', bound('web', 'elsewhere'));
    expect(podNames(theNode()?.pods)).toEqual([]);
  });

  test('is planned again when the claim is deleted', async () => {
    const { cluster, snapshot } = await aClusterState();
    cluster.seed('Pod', aPendingPod('web'));
    cluster.seed('NodeClaim', plannedClaim({ plannedPods: 'web' }));
    cluster.kind('NodeClaim').remove(cluster.kind('NodeClaim').get({ name: 'general-1' }));
    expect(podNames(snapshot().pendingPods)).toEqual(['web']);
  });

  test('is planned again when its machine has been up for a while and it is still not there', async () => {
    const { cluster, clock, snapshot } = await aClusterState();
    cluster.seed('Pod', aPendingPod('web'));
    cluster.seed('NodeClaim', plannedClaim({ plannedPods: 'web', status: launched }));
    await clock.advance(10 * NOMINATION_MS);
    expect(podNames(snapshot().pendingPods)).toEqual([]);
    cluster.seed('Node', readyNode(up));
    expect(snapshot().nodes[0]?.nominatedUntilMs).toBe(clock.now() + NOMINATION_MS);
    await clock.advance(NOMINATION_MS);
    expect(podNames(snapshot().pendingPods)).toEqual(['web']);
    expect(snapshot().nodes[0]?.nominatedUntilMs).toBeUndefined();
  });

  describe('and that is up', () => {
    const sized = (pod: Pod, cpu: string): Pod => ({
      ...pod,
      spec: { ...pod.spec, containers: [{ name: 'main', resources: { requests: { cpu } } }] },
    });
    const refused = (name: string, message: string): Pod => {
      const condition: Condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
      return { ...aPendingPod(name), status: { phase: 'Pending', conditions: [condition] } };
    };
    const anUpScene = async (plannedPods: string, pods: readonly Pod[]) => {
      const scene = await aClusterState();
      for (const pod of pods) scene.cluster.seed('Pod', pod);
      scene.cluster.seed('NodeClaim', plannedClaim({ plannedPods, status: launched }));
      const comesUp = (): void => {
        scene.cluster.seed('NodeClaim', plannedClaim({ plannedPods, status: { ...launched, conditions: [trueCondition('Initialized')] } }));
        scene.cluster.seed('Node', readyNode(up));
      };
      const reported: string[] = [];
      scene.state.onPodTransition((transition) => {
        if (transition.kind === 'waiting' && transition.hadPlace) reported.push(transition.pod.metadata.name);
      });
      return { ...scene, comesUp, reported };
    };

    test('is planned again as soon as others have its room, and the one that still has room is not', async () => {
      const { cluster, snapshot, theNode, comesUp, reported } = await anUpScene('small,large', [
        sized(aPendingPod('small'), '500m'),
        sized(aPendingPod('large'), '3'),
      ]);
      comesUp();
      expect(podNames(snapshot().pendingPods)).toEqual([]);
      cluster.seed('Pod', sized(bound('other', 'n'), '1'));
      const { pendingPods } = snapshot();
      expect([podNames(pendingPods), podNames(theNode()?.pods), reported]).toEqual([['large'], ['other', 'small'], ['large']]);
    });

    test('is not dropped while the machine is on its way, whatever is bound there', async () => {
      const { cluster, snapshot, reported } = await anUpScene('large', [sized(aPendingPod('large'), '3')]);
      cluster.seed('Node', readyNode({ 'karpenter.sh/registered': 'true' }));
      cluster.seed('Pod', sized(bound('other', 'n'), '1'));
      expect([podNames(snapshot().pendingPods), reported]).toEqual([[], []]);
    });

    test('is planned again in the snapshot in which its machine comes up smaller than planned', async () => {
      const { snapshot, comesUp } = await anUpScene('large', [sized(aPendingPod('large'), '3900m')]);
      expect(podNames(snapshot().pendingPods)).toEqual([]);
      comesUp();
      expect(podNames(snapshot().pendingPods)).toEqual(['large']);
    });

    test('is seen again on a node that goes, from which it was to come', async () => {
      const { cluster, state, snapshot, comesUp } = await anUpScene('web', [sized(bound('web', 'a-old'), '3')]);
      cluster.seed('Node', { ...readyNode(), metadata: { name: 'a-old' }, spec: { providerID: 'test:///old' } });
      state.mark(['node/a-old']);
      comesUp();
      const podsOf = (name: string) => podNames(snapshot().nodes.find((node) => node.name === name)?.pods);
      expect([podsOf('a-old'), podsOf('n')]).toEqual([[], ['web']]);
      cluster.seed('Pod', sized(bound('other', 'n'), '1'));
      expect([podsOf('a-old'), podsOf('n')]).toEqual([['web'], ['other']]);
    });

    test('is planned again when kube-scheduler has tried it once more and found no node', async () => {
      const { cluster, snapshot, comesUp, reported } = await anUpScene('web', [refused('web', '0/1 nodes')]);
      comesUp();
      cluster.seed('Pod', refused('web', '0/1 nodes'));
      expect([podNames(snapshot().pendingPods), reported]).toEqual([[], []]);
      cluster.seed('Pod', refused('web', '0/2 nodes'));
      expect([podNames(snapshot().pendingPods), reported]).toEqual([['web'], ['web']]);
    });
  });

  test('is not planned again for what kube-scheduler says while the machine is on its way', async () => {
    const { cluster, snapshot } = await aClusterState();
    const [before, after] = ['0/1 nodes', '0/2 nodes'].map((message): Pod => ({
      ...aPendingPod('web'),
      status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] },
    }));
    for (const pod of [before, after]) {
      if (pod !== undefined) cluster.seed('Pod', pod);
      cluster.seed('NodeClaim', plannedClaim({ plannedPods: 'web', status: launched }));
    }
    expect(podNames(snapshot().pendingPods)).toEqual([]);
  });

  test('moves from a node that goes to the claim that was made for it, in the same snapshot', async () => {
    const { cluster, state, snapshot } = await aClusterState();
    cluster.seed('Node', { ...readyNode(), metadata: { name: 'old' }, spec: { providerID: 'test:///old' } });
    cluster.seed('Pod', bound('web', 'old'));
    cluster.seed('NodeClaim', plannedClaim({ plannedPods: 'web' }));
    const podsOf = (name: string) => podNames(snapshot().nodes.find((node) => node.name === name)?.pods);
    expect([podsOf('old'), podsOf('general-1')]).toEqual([['web'], []]);
    const old = snapshot().nodes.find(({ name }) => name === 'old');
    const leaving = new Set(old === undefined ? [] : [machineKeyOf(old)]);
    state.exchanges.begin('c', { leaving, coming: new Set(['claim/general-1']) });
    expect([podsOf('old'), podsOf('general-1')]).toEqual([[], ['web']]);
    state.exchanges.end('c');
    expect([podsOf('old'), podsOf('general-1')]).toEqual([['web'], []]);
  });
});
