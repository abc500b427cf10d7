import { describe, expect, test } from '@jest/globals';
import { fakeClock, KubeError } from '@karpenter/runtime';
import type { KubeObject } from '@karpenter/runtime';
import type { NodePool } from '../apis/index.ts';
import type { InstanceType } from '../catalog/index.ts';
import { aBareNode } from '../cluster/testing/a-bare-cluster.ts';
import type { Resources } from '../kube/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import type { ClusterLimits } from '../cluster/index.ts';
import type { Decision } from '../ports/index.ts';
import type { PlannedNode } from '../scheduling/index.ts';
import { ExpectedClaims } from '../state/index.ts';
import { aNodePool, aPod, nodeClassRef } from '../testing/objects.ts';
import { createNodeClaims } from './create-node-claims.ts';
import type { Creating, RefusedClaim } from './create-node-claims.ts';

const { signal } = new AbortController();
const offering = { zone: 'z', capacityType: 'spot', pricePerHour: 1, isAvailable: true, requirements: new Map() };
const instanceType: InstanceType = { name: 'm4', requirements: new Map(), offerings: [offering], capacity: { cpu: 4000 }, overhead: {} };
const plannedNodeFor = (...podNames: readonly string[]): PlannedNode => ({
  nodePoolName: 'general',
  pods: podNames.map((name) => aPod(name)),
  instanceTypes: [instanceType],
  cheapest: { instanceType, offering },
  requests: { cpu: 3000 },
  claim: {
    labels: { team: 'a' },
    annotations: { 'karpenter.sh/nodepool-hash': '1' },
    spec: { requirements: [], nodeClassRef },
  },
});

const poolWithLimits = (limits?: NodePool['spec']['limits']): NodePool =>
  aNodePool('general', { metadata: { uid: 'pool-uid' }, ...(limits && { spec: { limits } }) });

interface Scene extends Creating {
  readonly cluster: FakeCluster;
  readonly reported: readonly Decision[];
}

const aCreationScene = (pool: NodePool | undefined, usage: Resources = {}, clusterLimits?: ClusterLimits): Scene => {
  const cluster = new FakeCluster();
  if (pool !== undefined) cluster.seed('NodePool', pool);
  const reported: Decision[] = [];
  const expected = new ExpectedClaims({
    clock: fakeClock(),
    isThere: (name) => cluster.caches.nodeClaims.get({ name }) !== undefined,
    add: () => undefined,
    remove: () => undefined,
  });
  return {
    cluster,
    reported,
    kube: cluster,
    caches: cluster.caches,
    state: { usageOf: () => usage, clusterLimits: () => clusterLimits, expected },
    reporter: { report: (each) => void reported.push(each) },
  };
};

/** Refuses the first object, and makes the others only when released. */
class HaltingCluster extends FakeCluster {
  readonly #halt = Promise.withResolvers<undefined>();
  #isFirst = true;

  resume(): void {
    this.#halt.resolve(undefined);
  }

  override async create<T extends KubeObject>(kind: string, object: T): Promise<T> {
    const isRefused = this.#isFirst;
    this.#isFirst = false;
    if (isRefused) throw new Error('refused');
    await this.#halt.promise;
    return super.create(kind, object);
  }
}

const refused: RefusedClaim[] = [];
const onRefused = (each: RefusedClaim): void => void refused.push(each);
const creation = { planned: [plannedNodeFor('a', 'b'), plannedNodeFor('c')], reason: 'provisioned', attempt: '1', onRefused } as const;

describe('creating the claims of a plan', () => {
  test('says what the plan says, whose it is, and for which pods', async () => {
    const scene = aCreationScene(poolWithLimits());
    const [claim] = await createNodeClaims(scene, creation, signal);
    expect(claim?.metadata.name).toMatch(/^general-[a-z0-9]{8}$/);
    expect(claim?.metadata.labels).toEqual({ team: 'a', 'karpenter.sh/nodepool': 'general', 'test.dev/testnodeclass': 'default' });
    expect(claim?.metadata.annotations).toEqual({
      'karpenter.sh/nodepool-hash': '1',
      'karpenter.sh/planned-pods': 'uid-a,uid-b',
    });
    expect(claim?.metadata.finalizers).toEqual(['karpenter.sh/termination']);
    expect(claim?.metadata.ownerReferences).toEqual([
      { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'general', uid: 'pool-uid', blockOwnerDeletion: true },
    ]);
  });

  test('gets the provider’s default terminationGracePeriod where the pool states none', async () => {
    const scene = { ...aCreationScene(poolWithLimits()), provider: { defaultTerminationGracePeriod: '24h' } };
    const own = {
      ...plannedNodeFor('b'),
      claim: { ...plannedNodeFor('b').claim, spec: { ...plannedNodeFor('b').claim.spec, terminationGracePeriod: '1h' } },
    };
    const claims = await createNodeClaims(scene, { ...creation, planned: [plannedNodeFor('a'), own] }, signal);
    expect(claims.map(({ spec }) => spec.terminationGracePeriod)).toEqual(['24h', '1h']);
  });

  test('when it runs twice, leaves the same objects as once', async () => {
    const scene = aCreationScene(poolWithLimits());
    const once = await createNodeClaims(scene, creation, signal);
    const twice = await createNodeClaims(scene, creation, signal);
    expect(twice).toEqual(once);
    expect(scene.cluster.kind('NodeClaim').objects.size).toBe(2);
  });

  test('counts the largest machine that the cloud may pick, not the cheapest', async () => {
    const large = { ...instanceType, name: 'm8', capacity: { cpu: 8000 } };
    const scene = aCreationScene(poolWithLimits({ cpu: '9' }), { cpu: 4000 });
    const open = { ...plannedNodeFor('a'), instanceTypes: [instanceType, large] };
    expect(await createNodeClaims(scene, { ...creation, planned: [open] }, signal)).toEqual([]);
  });

  test('counts as created and is still expected when the answer is lost, but not when it is refused', async () => {
    const scene = aCreationScene(poolWithLimits());
    const failing = (code: 'network' | 'invalid') => ({
      ...scene,
      kube: Object.assign(new FakeCluster(), { create: () => Promise.reject(new KubeError('no', { code, cause: undefined })) }),
    });
    const one = { ...creation, planned: [plannedNodeFor('a')] };
    const [claim] = await createNodeClaims(failing('network'), one, signal);
    expect(scene.state.expected.unanswered().map((each) => each.claim)).toEqual([claim]);
    expect(scene.reported.map(({ kind }) => kind)).toEqual(['node-claim-unanswered']);
    expect(await createNodeClaims(failing('invalid'), { ...one, attempt: '2' }, signal)).toEqual([]);
    expect(refused.map(({ error }) => error.message)).toEqual(['no']);
    expect(scene.state.expected.unanswered().map((each) => each.claim)).toEqual([claim]);
  });

  test('for another plan is another claim, also for the same pods', async () => {
    const scene = aCreationScene(poolWithLimits());
    await createNodeClaims(scene, creation, signal);
    await createNodeClaims(scene, { ...creation, attempt: '2' }, signal);
    expect(scene.cluster.kind('NodeClaim').objects.size).toBe(4);
  });

  test.each([
    ['cpu', { cpu: '9' }, { cpu: 4000 }],
    ['nodes', { nodes: '3' }, { nodes: 2 }],
  ])('stops at the limit of %s, counting what the same plan has just made', async (resource, limits, usage) => {
    const scene = aCreationScene(poolWithLimits(limits), usage);
    expect(await createNodeClaims(scene, creation, signal)).toHaveLength(1);
    expect(scene.reported).toContainEqual({ kind: 'node-claim-refused', planned: creation.planned[1], resource, of: 'pool' });
  });

  test('stops at a limit of the cluster, whatever the pool allows', async () => {
    const scene = aCreationScene(poolWithLimits({ cpu: '100' }), { cpu: 4000 }, { limits: { cpu: 16_000 }, usage: { cpu: 8000 } });
    const creation = {
      planned: ['a', 'b', 'c'].map((name) => plannedNodeFor(name)),
      reason: 'provisioned',
      attempt: '1',
      onRefused,
    } as const;
    expect(await createNodeClaims(scene, creation, signal)).toHaveLength(2);
    expect(scene.reported).toContainEqual({ kind: 'node-claim-refused', planned: creation.planned[2], resource: 'cpu', of: 'cluster' });
  });

  test('does nothing for a pool that is gone or going', async () => {
    expect(await createNodeClaims(aCreationScene(undefined), creation, signal)).toEqual([]);
    const going = { ...poolWithLimits(), metadata: { ...poolWithLimits().metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(await createNodeClaims(aCreationScene(going), creation, signal)).toEqual([]);
  });

  const leaver = aBareNode({ name: 'old', capacity: { cpu: 4000 }, allocatable: { cpu: 4000 }, nodePoolName: 'general' });

  test('replaces a node of a pool that is at its limit: the one that leaves counts no more', async () => {
    const scene = aCreationScene(poolWithLimits({ cpu: '4' }), { cpu: 4000 });
    const one = { ...creation, planned: [plannedNodeFor('a')], reason: 'Underutilized', leaving: [leaver] } as const;
    expect(await createNodeClaims(scene, one, signal)).toHaveLength(1);
  });

  test('creates none of several replacements when the limit stops one: half of them would be paid for and not used', async () => {
    const scene = aCreationScene(poolWithLimits({ cpu: '4' }), { cpu: 4000 });
    expect(await createNodeClaims(scene, { ...creation, reason: 'Underutilized', leaving: [leaver] }, signal)).toEqual([]);
    expect(scene.cluster.writes).toEqual([]);
  });

  test('fails only when no other write is on its way, so that the next plan sees what was made', async () => {
    const scene = aCreationScene(poolWithLimits());
    const kube = new HaltingCluster();
    const creating = createNodeClaims(
      { ...scene, kube, caches: { ...scene.caches, nodeClaims: kube.caches.nodeClaims } },
      creation,
      signal,
    );
    const seen = creating.then(
      () => 'made',
      () => kube.writes.length,
    );
    setImmediate(() => kube.resume());
    expect(await seen).toBe(1);
  });
});
