import { describe, expect, test } from '@jest/globals';
import { durationMs } from '../base/index.ts';
import type { Pod } from '../kube/index.ts';
import { aPod } from '../testing/objects.ts';
import { nodeProjection, podProjection } from './projections.ts';

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

const podOf = (name: string, nodeName?: string): Pod =>
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

describe('the projection of pods', () => {
  test('gives pods that ask for the same one spec object, though the volumes that nobody reads have names of their own', () => {
    const project = podProjection();
    const other = podOf('b');
    const renamed = {
      ...other,
      spec: { ...other.spec, volumes: [{ name: 'kube-api-access-99999' }, ...(other.spec.volumes?.slice(1) ?? [])] },
    };
    expect(project(podOf('a')).spec).toBe(project(renamed).spec);
  });

  test('distinguishes bound pods of one node from those of another and from pending ones', () => {
    const project = podProjection();
    const [pending, here, alsoHere, there] = [podOf('a'), podOf('b', 'n1'), podOf('c', 'n1'), podOf('d', 'n2')].map(
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
        ...podOf(name),
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
    const kept = project({ ...podOf('a'), metadata: { name: 'a', annotations } }).metadata.annotations;
    expect(Object.keys(kept ?? {})).toEqual(['karpenter.sh/do-not-disrupt']);
    expect(kept?.['karpenter.sh/do-not-disrupt']).toHaveLength(257);
    expect(durationMs(kept?.['karpenter.sh/do-not-disrupt'] ?? '')).toBeUndefined();
    expect(project({ ...podOf('b'), metadata: { name: 'b', annotations: { note: 'x' } } }).metadata).not.toHaveProperty('annotations');
  });

  test('gives pods with the same thousand labels one object of them', () => {
    const project = podProjection();
    const labelsOf = () => Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`example.com/l-${index}`, 'x']));
    const [one, other] = ['a', 'b'].map((name) => project({ ...podOf(name), metadata: { name, labels: labelsOf() } }).metadata.labels);
    expect(other).toBe(one);
    expect(one).toEqual(labelsOf());
  });

  test('keeps what decisions read and drops the rest', () => {
    expect(podProjection()(podOf('a'))).toEqual({
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
