import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '@karpenter/runtime';
import type { NodesAnswer } from '../answer/node-rows.ts';
import type { PlanAnswer } from '../answer/plan-answer.ts';
import type { SavingsAnswer } from '../answer/savings-answer.ts';
import type { PodAnswer } from '../answer/why-pod.ts';
import { runCommand } from '../testing/run-command.ts';
import { warmBuffer, aSamplePod, sampleCluster } from '../testing/sample-cluster.ts';

type AnyObject = KubeObject & Readonly<Record<string, unknown>>;

const listOf = (items: readonly KubeObject[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
const without = (...kinds: readonly string[]): readonly KubeObject[] => sampleCluster().filter(({ kind }) => !kinds.includes(kind));

const ask = async <T>(line: string, objects: readonly KubeObject[]): Promise<T> => {
  const { out, complaints } = await runCommand(`${line} --from x.json --output json`, { files: { 'x.json': listOf(objects) } });
  expect(complaints).toEqual([]);
  return JSON.parse(out) as T;
};

const aDaemonPod = (): KubeObject => {
  const pod = aSamplePod({ name: 'log-1', cpu: '100m', node: 'general-a1' });
  return {
    ...pod,
    metadata: { ...pod.metadata, ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'log', uid: 'log' }] },
  };
};

const gpuPod = aSamplePod({
  ...{ name: 'train-gpu', cpu: '1' },
  spec: { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] },
});

describe('files that hold no object of a kind to which others refer', () => {
  test.each<[string, readonly KubeObject[]]>([
    ['persistentvolumeclaims', without('PersistentVolumeClaim')],
    ['persistentvolumes', without('PersistentVolume')],
    ['daemonsets', [...sampleCluster(), aDaemonPod()]],
    ['resourceclaims,resourceclaimtemplates,resourceslices,deviceclasses', [...sampleCluster(), gpuPod]],
  ])('%s › refused, with the command that adds them', async (plurals, objects) => {
    const { code, out, complaints } = await runCommand('savings --from x.json', { files: { 'x.json': listOf(objects) } });
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(complaints).toEqual([expect.stringContaining(`add what kubectl get ${plurals} --all-namespaces`)]);
  });

  test('pods that have ended › need none', async () => {
    const ended = { ...gpuPod, status: { phase: 'Succeeded' } };
    expect((await ask<NodesAnswer>('nodes', [...sampleCluster(), ended])).totals.nodes).toBe(5);
  });

  test('the class of a NodePool › answered, and said', async () => {
    const { code, complaints } = await runCommand('nodes --from x.json', { files: { 'x.json': listOf(without('KWOKNodeClass')) } });
    expect([code, complaints]).toEqual([0, ['x.json: NodePools refer to KWOKNodeClass default, which it does not hold; defaults count']]);
  });
});

describe('kinds that only some clusters have', () => {
  test('a volume in another zone › its pod finds no place there', async () => {
    const moved = JSON.parse(listOf(sampleCluster()).replace('"values":["test-zone-a"]', '"values":["elsewhere"]')) as {
      readonly items: readonly KubeObject[];
    };
    const items = moved.items.map((each) => (each.metadata.name === 'db-1' ? aSamplePod({ ...dbPod, spec: dbSpec }) : each));
    expect(await ask<PodAnswer>('why pod/db-1', items)).toMatchObject({ kind: 'no-place', why: expect.stringContaining('elsewhere') });
  });

  test('a CapacityBuffer › less is saved, and a plan makes room for it', async () => {
    const objects = [...sampleCluster(), ...warmBuffer];
    const [{ afterPerHour }, bare] = [await ask<SavingsAnswer>('savings', objects), await ask<SavingsAnswer>('savings', sampleCluster())];
    expect(afterPerHour).toBeGreaterThan(bare.afterPerHour);
    const { plan } = await ask<PlanAnswer>('plan -f pods.yaml', objects);
    const { plan: alone } = await ask<PlanAnswer>('plan -f pods.yaml', sampleCluster());
    expect(plan.pricePerHour).toBeGreaterThan(alone.pricePerHour);
    expect(plan.nodes.reduce((sum, { pods }) => sum + pods, 0)).toBeLessThanOrEqual(13);
  });

  test('a NodeOverlay that the controller has found valid › changes prices; another one does not', async () => {
    const priceOf = async (status: string): Promise<number> =>
      (await ask<NodesAnswer>('nodes', [...sampleCluster(), anOverlay(status)])).totals.pricePerHour;
    expect(await priceOf('False')).toBeCloseTo(0.797, 3);
    expect(await priceOf('True')).toBeCloseTo(0.797 / 2, 3);
  });

  test('a ResourceClaim › its pod goes where a device meets it', async () => {
    const answer = await ask<PodAnswer>('why pod/train-gpu', [...sampleCluster(), gpuPod, ...deviceObjects]);
    expect(answer).toMatchObject({ kind: 'fits-node', node: 'general-c3' });
  });

  test('a PodGroup that cannot have all its places › none of its pods gets a node', async () => {
    const answer = await ask<PodAnswer>('why pod/ring-1', [...sampleCluster(), ...aGroup]);
    expect(answer).toMatchObject({ kind: 'no-place' });
    const [, pod] = aGroup;
    expect(pod && (await ask<PodAnswer>('why pod/ring-1', [...sampleCluster(), pod]))).not.toMatchObject({ kind: 'no-place' });
  });
});

const dbPod = { name: 'db-1', cpu: '1', memory: '2Gi' };
const dbSpec = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-1' } }] };

const anOverlay = (status: string): AnyObject => ({
  ...{ apiVersion: 'karpenter.sh/v1alpha1', kind: 'NodeOverlay', metadata: { name: 'half' } },
  spec: { requirements: [], priceAdjustment: '-50%' },
  status: {
    conditions: [{ type: 'ValidationSucceeded', status, reason: 'ValidationSucceeded', lastTransitionTime: '2026-11-20T11:00:00Z' }],
  },
});

const deviceObjects: readonly AnyObject[] = [
  {
    ...{ apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'gpu.example.com' } },
    spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }] },
  },
  {
    ...{ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'gpu', namespace: 'default', uid: 'gpu' } },
    spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu.example.com' } }] } },
  },
  {
    ...{ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: 'general-c3-gpu' } },
    spec: {
      ...{ driver: 'gpu.example.com', nodeName: 'general-c3', devices: [{ name: 'gpu-0' }] },
      pool: { name: 'general-c3', generation: 1, resourceSliceCount: 1 },
    },
  },
];

const aGroup: readonly KubeObject[] = [
  {
    ...{ apiVersion: 'scheduling.x-k8s.io/v1alpha1', kind: 'PodGroup', metadata: { name: 'ring', namespace: 'default' } },
    ...{ spec: { minMember: 3 } },
  },
  (() => {
    const pod = aSamplePod({ name: 'ring-1', cpu: '1' });
    return { ...pod, metadata: { ...pod.metadata, labels: { 'scheduling.x-k8s.io/pod-group': 'ring' } } };
  })(),
];
