import { describe, expect, test } from '@jest/globals';
import { annotations } from '../apis/index.ts';
import { durationMs } from '../base/index.ts';
import { isProvisionable, MIRROR } from '../kube/index.ts';
import type { Pod } from '../kube/index.ts';
import { aPod } from '../testing/objects.ts';
import { nodeProjection, podProjection } from './projections.ts';
import { range } from '../testing/range.ts';

describe('node projection', () => {
  test('a node is kept without its images, and otherwise unchanged', () => {
    const status = {
      capacity: { cpu: '4' },
      conditions: [{ type: 'Ready', status: 'True' as const }],
      nodeInfo: { kubeletVersion: 'v1.34.2' },
    };
    const node = {
      ...{ apiVersion: 'v1' as const, kind: 'Node' as const, metadata: { name: 'a', managedFields: [{}] }, spec: { providerID: 'x' } },
      status: { ...status, images: [{ names: ['web:1'], sizeBytes: 1 }], addresses: [] },
    };
    expect(nodeProjection(node)).toEqual({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, spec: { providerID: 'x' }, status });
  });
});

const fullPod = (name: string, nodeName?: string): Pod =>
  aPod(name, {
    metadata: { finalizers: ['x'] },
    spec: {
      containers: [{ name: 'main', image: 'web:1', resources: { requests: { cpu: '1' } } }],
      volumes: [{ name: 'kube-api-access-x7f2q' }, { name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      ...(nodeName === undefined ? {} : { nodeName }),
    },
    status: {
      phase: 'Pending',
      conditions: [
        { type: 'Initialized', status: 'True' },
        { type: 'Ready', status: 'False' },
      ],
    },
  });

interface LongPart {
  readonly metadata?: Partial<Pod['metadata']>;
  readonly spec?: Partial<Pod['spec']>;
}

const manyLabels = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(range(count).map((index) => [`${'x'.repeat(60)}.example.com/label-${index}`, 'x'.repeat(60)]));

const manyOwners = (count: number): NonNullable<Pod['metadata']['ownerReferences']> =>
  range(count).map((index) => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${'x'.repeat(60)}-${index}`, uid: `u-${index}` }));

const ownerOf = (kind: string) => ({ apiVersion: 'apps/v1', kind, name: 'agent', uid: 'u' });

const requiring = (values: number): NonNullable<Pod['spec']['affinity']> => {
  const excluding = { key: 'zone', operator: 'NotIn' as const, values: range(values).map((index) => `${'x'.repeat(50)}-${index}`) };
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [excluding] }] } } };
};

describe('the projection of pods', () => {
  test('gives pods that ask for the same one spec object, though the volumes that nobody reads have names of their own', () => {
    const project = podProjection();
    const other = fullPod('b');
    const renamed = {
      ...other,
      spec: { ...other.spec, volumes: [{ name: 'kube-api-access-99999' }, ...(other.spec.volumes?.slice(1) ?? [])] },
    };
    expect(project(fullPod('a')).spec).toBe(project(renamed).spec);
  });

  test('distinguishes bound pods of one node from those of another and from pending ones', () => {
    const project = podProjection();
    const [pending, here, alsoHere, there] = [fullPod('a'), fullPod('b', 'n1'), fullPod('c', 'n1'), fullPod('d', 'n2')].map(
      (pod) => project(pod).spec,
    );
    expect(here).toBe(alsoHere);
    expect(new Set([pending, here, there]).size).toBe(3);
    expect(there?.containers).toBe(pending?.containers);
    expect(there?.nodeName).toBe('n2');
  });

  test('gives pods of one workload one object of labels, of annotations and of owners', () => {
    const project = podProjection();
    const owned = (name: string) =>
      project({
        ...fullPod(name),
        metadata: {
          ...{ name, labels: { app: 'web' }, annotations: { 'karpenter.sh/do-not-disrupt': 'true', team: name } },
          ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'u' }],
        },
      }).metadata;
    const [one, other] = [owned('a'), owned('b')];
    const annotations = { 'karpenter.sh/do-not-disrupt': 'true' };
    expect(one).toMatchObject({ name: 'a', labels: { app: 'web' }, ownerReferences: [{ name: 'web-1' }] });
    expect(one.annotations).toEqual(annotations);
    expect([other.labels, other.annotations, other.ownerReferences]).toEqual([one.labels, one.annotations, one.ownerReferences]);
    expect(other.labels).toBe(one.labels);
    expect(other.annotations).toBe(one.annotations);
    expect(other.ownerReferences).toBe(one.ownerReferences);
  });

  test('keeps no annotation that no decision reads, and of a long one its beginning, which is no valid value', () => {
    const project = podProjection();
    const annotations = { 'karpenter.sh/do-not-disrupt': '0h'.repeat(130_000), note: 'x'.repeat(200_000) };
    const kept = project({ ...fullPod('a'), metadata: { name: 'a', annotations } }).metadata.annotations;
    expect(Object.keys(kept ?? {})).toEqual(['karpenter.sh/do-not-disrupt']);
    expect(kept?.['karpenter.sh/do-not-disrupt']).toHaveLength(257);
    expect(durationMs(kept?.['karpenter.sh/do-not-disrupt'] ?? '')).toBeUndefined();
    expect(project({ ...fullPod('b'), metadata: { name: 'b', annotations: { note: 'x' } } }).metadata).not.toHaveProperty('annotations');
  });

  test('gives pods with the same thousand labels one object of them', () => {
    const project = podProjection();
    const labelsOf = () => Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`example.com/l-${index}`, 'x']));
    const [one, other] = ['a', 'b'].map((name) => project({ ...fullPod(name), metadata: { name, labels: labelsOf() } }).metadata.labels);
    expect(other).toBe(one);
    expect(one).toEqual(labelsOf());
  });

  test.each<[string, LongPart]>([
    ['labels', { metadata: { labels: manyLabels(3000) } }],
    ['affinity', { spec: { affinity: requiring(8000) } }],
    ['owners', { metadata: { ownerReferences: manyOwners(3000) } }],
  ])('keeps of a pending pod with very long %s its name and the length', (_, { metadata = {}, spec = {} }) => {
    const pod = {
      ...fullPod('a'),
      metadata: { ...fullPod('a').metadata, ...metadata },
      spec: { ...fullPod('a').spec, priority: 7, ...spec },
    };
    const { metadata: kept, ...rest } = podProjection()(pod);
    expect(kept).toEqual({ name: 'a', namespace: 'default', uid: 'uid-a' });
    expect(rest.spec).toEqual({ priority: 7, containers: [], cutCharacters: expect.any(Number) });
    expect(rest.spec.cutCharacters).toBeGreaterThan(256 * 1024);
    expect(rest.status?.phase).toBe('Pending');
  });

  test.each<[string, Partial<Pod['metadata']>, Partial<Pod['metadata']>]>([
    ['of a DaemonSet', { ownerReferences: [ownerOf('DaemonSet')] }, { ownerReferences: [ownerOf('DaemonSet')] }],
    ['of a node', { ownerReferences: [ownerOf('Node')] }, { ownerReferences: [ownerOf('Node')] }],
    [
      'that mirrors a static one',
      { annotations: { [MIRROR]: 'x', [annotations.doNotDisrupt]: 'true' } },
      { annotations: { [MIRROR]: 'x' } },
    ],
  ])('keeps of a pending pod %s that is as long what says so: it waits for no node of ours', (_, metadata, expected) => {
    const spec = { ...fullPod('a').spec, affinity: requiring(8000) };
    const status = { conditions: [{ type: 'PodScheduled', status: 'False' as const, reason: 'Unschedulable' }] };
    const kept = podProjection()({ ...fullPod('a'), metadata: { name: 'a', ...metadata }, spec, status });
    expect(kept.metadata).toEqual({ name: 'a', ...expected });
    expect(kept.spec).toHaveProperty('cutCharacters');
    expect(isProvisionable(kept)).toBe(false);
  });

  test('keeps a pod that is as long where it runs, because it counts for others, and not after its end', () => {
    const labels = manyLabels(3000);
    const pod = { ...fullPod('a', 'n1'), metadata: { name: 'a', labels } };
    const running = podProjection()({ ...pod, status: { phase: 'Running' } });
    expect(running.metadata.labels).toEqual(labels);
    expect(running.spec).not.toHaveProperty('cutCharacters');
    const ended = podProjection()({ ...pod, status: { phase: 'Failed' } });
    expect(ended.spec).toMatchObject({ nodeName: 'n1', containers: [] });
    expect(ended.metadata).toEqual({ name: 'a' });
  });

  test('keeps what decisions read and drops the rest', () => {
    expect(podProjection()(fullPod('a'))).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', namespace: 'default', uid: 'uid-a' },
      spec: {
        containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      },
      status: { phase: 'Pending', conditions: [{ type: 'Ready', status: 'False' }] },
    });
  });
});
