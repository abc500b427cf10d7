import { describe, expect, test } from '@jest/globals';
import { KubeError } from '@karpenter/runtime';
import { labels } from '../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { conditionOf } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { labelRequirements } from '../../requirements/index.ts';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { aNodePool, aPod, nodeClassRef } from '../../testing/objects.ts';
import { staticDeprovisioning, staticProvisioning } from './static-capacity.ts';

const { signal } = new AbortController();
const m4: InstanceType = {
  name: 'm4',
  requirements: labelRequirements({ [labels.instanceType]: 'm4', [labels.zone]: 'z1' }),
  offerings: [
    {
      zone: 'z1',
      capacityType: 'on-demand',
      pricePerHour: 1,
      isAvailable: true,
      requirements: labelRequirements({ [labels.zone]: 'z1', [labels.capacityType]: 'on-demand' }),
    },
  ],
  capacity: { cpu: 4000, memory: 2 ** 34, pods: 110 },
  overhead: {},
};

const fixedPool = (replicas: number, { limit, isReady = true }: { limit?: string; isReady?: boolean } = {}): NodePool =>
  aNodePool('fixed', {
    metadata: { uid: 'uid-pool' },
    spec: { replicas, ...(limit === undefined ? {} : { limits: { nodes: limit } }) },
    status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  });

interface ClaimOptions {
  readonly isLaunched?: boolean;
  readonly isBeingReplaced?: boolean;
  readonly pods?: readonly Pod[];
  readonly annotations?: Readonly<Record<string, string>>;
}

const ownedPod = (name: string, annotations: Readonly<Record<string, string>> = {}): Pod =>
  aPod(name, {
    metadata: { annotations, ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'r', controller: true }] },
    status: { phase: 'Running' },
  });

const ofDaemon = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'd', controller: true }] },
});

const aFixedPool = (pool: NodePool) => {
  const cluster = new FakeCluster();
  const shell = fakeShell(cluster, { getInstanceTypes: () => Promise.resolve([m4]) });
  cluster.seed('NodePool', pool);
  const claim = (name: string, { isLaunched = true, isBeingReplaced = false, pods = [], annotations = {} }: ClaimOptions = {}): void => {
    const own = { name, uid: `uid-${name}`, labels: { [labels.nodePool]: 'fixed' }, finalizers: ['f'] };
    const conditions = isBeingReplaced ? [{ type: 'DisruptionReason', status: 'True' as const }] : [];
    const status = { conditions, ...(isLaunched ? { providerID: `test:///${name}` } : {}) };
    cluster.seed('NodeClaim', { metadata: own, spec: { requirements: [], nodeClassRef }, status });
    if (!isLaunched) return;
    const up = { [labels.nodePool]: 'fixed', [labels.registered]: 'true', [labels.initialized]: 'true' };
    cluster.seed('Node', { metadata: { name, labels: up, annotations }, spec: { providerID: `test:///${name}` } });
    for (const pod of pods) cluster.seed('Pod', { ...pod, spec: { ...pod.spec, nodeName: name } });
  };
  const provide = () => staticProvisioning(shell, defaultSchedulingPolicy).reconcile(pool, { signal });
  const deprovide = () => staticDeprovisioning(shell).reconcile(pool, { signal });
  const claims = (): readonly NodeClaim[] => shell.caches.nodeClaims.list();
  const leaving = (): readonly string[] =>
    claims().flatMap(({ metadata }) => (metadata.deletionTimestamp === undefined ? [] : metadata.name));
  return { cluster, shell, claim, provide, deprovide, claims, leaving };
};

describe('a static pool that has too few machines', () => {
  test('when the API server refuses its claims › it pauses after the second try and says why', async () => {
    const { cluster, shell, provide } = aFixedPool(fixedPool(3));
    const message = 'admission webhook "policy.test.dev" denied the request: no owner';
    let tries = 0;
    cluster.create = () => {
      tries += 1;
      return Promise.reject(new KubeError(message, { code: 'forbidden', status: 403, cause: undefined }));
    };
    await provide();
    await provide();
    await provide();
    expect([tries, shell.state.launches.isHeld('fixed')]).toEqual([6, true]);
    const said = conditionOf(shell.caches.nodePools.get({ name: 'fixed' })?.status?.conditions, 'LaunchBackoff');
    expect(said).toMatchObject({ status: 'True', reason: 'NodeClaimRefused' });
    expect(said?.message).toContain(message);
    expect(shell.reported).toContainEqual(expect.objectContaining({ kind: 'node-claim-invalid', message }));
  });

  test('when a policy that denied its claims is gone › it has its machines two minutes later', async () => {
    const { cluster, shell, provide, claims } = aFixedPool(fixedPool(3));
    const message = 'admission webhook "policy.test.dev" denied the request: no owner';
    const create = cluster.create.bind(cluster);
    cluster.create = () => Promise.reject(new KubeError(message, { code: 'forbidden', status: 403, cause: undefined }));
    for (let pass = 0; pass < 7; pass++) {
      await provide();
      await shell.clock.advance(120_000);
    }
    expect(claims()).toEqual([]);
    cluster.create = create;
    await shell.clock.advance(120_000);
    await provide();
    expect(claims()).toHaveLength(3);
  });

  test('reads the cluster under a mark', async () => {
    const { shell, provide } = aFixedPool(fixedPool(1));
    const marks: (string | undefined)[] = [];
    const snapshot = shell.state.snapshot.bind(shell.state);
    shell.state.snapshot = (nowMs) => {
      marks.push(shell.mark());
      return snapshot(nowMs);
    };
    await provide();
    expect(marks).toEqual([expect.stringContaining('snapshot')]);
    expect(shell.mark()).toBeUndefined();
  });

  test('launches the missing machines although no pod waits, and no more in the next pass', async () => {
    const { claim, provide, claims } = aFixedPool(fixedPool(3));
    claim('a');
    await provide();
    await provide();
    expect(claims()).toHaveLength(3);
    expect(claims().at(-1)?.spec.requirements).toContainEqual(expect.objectContaining({ key: labels.instanceType, values: ['m4'] }));
  });

  test('when it lacks more than 1,000 › it gets 1,000 in a pass, and the next pass follows immediately', async () => {
    const { provide, claims } = aFixedPool(fixedPool(1010));
    expect([await provide(), claims().length]).toEqual([{ kind: 'requeue', afterMs: 0 }, 1000]);
    expect([await provide(), claims().length]).toEqual([{ kind: 'requeue', afterMs: 60_000 }, 1010]);
  });

  test('when it has more replicas than the memory has room for › a pass makes 1,000 of them', async () => {
    const { provide, claims } = aFixedPool(fixedPool(2 ** 32));
    expect(await provide()).toEqual({ kind: 'requeue', afterMs: 0 });
    expect(claims()).toHaveLength(1000);
  });

  test('when it lacks more than 1,000 and nothing is for sale › the next pass does not follow immediately', async () => {
    const { shell, provide, claims } = aFixedPool(fixedPool(2500));
    shell.provider.getInstanceTypes = () => Promise.resolve([]);
    expect(await provide()).toEqual({ kind: 'requeue', afterMs: 60_000 });
    expect(claims()).toEqual([]);
  });

  test('gets none beyond its limit, which counts machines that are leaving, and is checked sooner', async () => {
    const { claim, provide, cluster, claims } = aFixedPool(fixedPool(3, { limit: '2' }));
    claim('a');
    await cluster.delete('NodeClaim', { name: 'a' });
    expect(await provide()).toEqual({ kind: 'requeue', afterMs: 30_000 });
    expect(claims()).toHaveLength(2);
  });

  test('gets none in place of one that a command replaces', async () => {
    const { claim, provide, claims } = aFixedPool(fixedPool(2));
    claim('a');
    claim('b', { isBeingReplaced: true });
    await provide();
    expect(claims()).toHaveLength(2);
  });

  test('gets none while it is not ready', async () => {
    const { provide, claims } = aFixedPool(fixedPool(2, { isReady: false }));
    await provide();
    expect(claims()).toEqual([]);
  });

  test('gets none while what it launches fails again and again', async () => {
    const { provide, claims, shell } = aFixedPool(fixedPool(2));
    for (const claimName of ['fixed-1', 'fixed-2']) {
      shell.state.launches.asked(claimName);
      shell.state.launches.failed('fixed', { claimName, step: 'launched', cause: 'LaunchFailed', message: 'no' });
    }
    await provide();
    expect(claims()).toEqual([]);
  });
});

describe('a static pool that has too many machines', () => {
  test('keeps them all when they are not', async () => {
    const { claim, deprovide, leaving } = aFixedPool(fixedPool(1));
    claim('a');
    claim('b', { isBeingReplaced: true });
    await deprovide();
    expect(leaving()).toEqual([]);
  });

  test.each<[string, Readonly<Record<string, ClaimOptions>>]>([
    ['no machine yet', { busy: { pods: [ownedPod('p')] }, empty: {}, go: { isLaunched: false } }],
    ['empty', { busy: { pods: [ownedPod('p')] }, go: {} }],
    [
      'without do-not-disrupt',
      { kept: { pods: [ownedPod('p', { 'karpenter.sh/do-not-disrupt': 'true' })] }, go: { pods: [ownedPod('q'), ownedPod('r')] } },
    ],
    [
      'busy, before a node whose daemon pod has do-not-disrupt',
      {
        kept: { pods: [ofDaemon(ownedPod('d', { 'karpenter.sh/do-not-disrupt': 'true' }))] },
        go: { pods: [ownedPod('p'), ownedPod('q')] },
      },
    ],
    ['cheapest to move', { busy: { pods: [ownedPod('p'), ownedPod('q')] }, go: { pods: [ownedPod('r')] } }],
  ])('first deletes what is %s', async (_, machines) => {
    const names = Object.keys(machines);
    const { claim, deprovide, leaving } = aFixedPool(fixedPool(names.length - 1));
    for (const [name, options] of Object.entries(machines)) claim(name, options);
    await deprovide();
    expect(leaving()).toEqual(['go']);
  });

  test('deletes even nodes with do-not-disrupt when there are no others: somebody lowered the replicas', async () => {
    const { claim, deprovide, leaving } = aFixedPool(fixedPool(0));
    claim('a', { pods: [ownedPod('p')], annotations: { 'karpenter.sh/do-not-disrupt': 'true' } });
    await deprovide();
    expect(leaving()).toEqual(['a']);
  });
});
