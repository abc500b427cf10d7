import { describe, expect, test } from '@jest/globals';
import type { CapacityBuffer, CapacityBufferSpec } from '../apis/index.ts';
import type { PodSpec, PodTemplateSpec } from '../kube/index.ts';
import { MOST_CHUNKS, bufferReplicas, virtualPods } from './buffers.ts';

describe('buffer replicas', () => {
  const asking = (...cpus: readonly string[]): PodSpec => ({
    containers: cpus.map((cpu, i) => ({ name: `c${i}`, resources: { requests: { cpu, memory: '1Gi' } } })),
  });
  const init = (cpu: string, ...cpus: readonly string[]): PodSpec => ({
    ...asking(...cpus),
    initContainers: [{ name: 'init', resources: { requests: { cpu } } }],
  });

  /** Cases and answers of the original: `capacitybuffer/suite_test.go`, "Replica calculation", and `helpers_test.go`. */
  describe('a buffer has so many chunks', () => {
    test.each<[string, CapacityBufferSpec, PodSpec, number | undefined, number]>([
      ['replicas alone', { replicas: 7 }, asking('1'), undefined, 7],
      ['replicas, capped by a limit', { replicas: 10, limits: { cpu: '3' } }, asking('1'), undefined, 3],
      ['replicas, where the limit allows more', { replicas: 3, limits: { cpu: '10' } }, asking('1'), undefined, 3],
      ['limits alone', { limits: { cpu: '5' } }, asking('1'), undefined, 5],
      ['a percentage alone', { percentage: 20 }, asking('1'), 10, 2],
      ['the larger of both: replicas', { replicas: 5, percentage: 20 }, asking('1'), 10, 5],
      ['the larger of both: the percentage', { replicas: 5, percentage: 80 }, asking('1'), 10, 8],
      ['the larger of both, capped by a limit', { replicas: 5, percentage: 80, limits: { cpu: '4' } }, asking('1'), 10, 4],
      ['a percentage, rounded up to one', { percentage: 10 }, asking('1'), 1, 1],
      ['a percentage of none', { percentage: 50 }, asking('1'), 0, 0],
      ['the least that several limits allow', { limits: { cpu: '10', memory: '4Gi' } }, asking('1'), undefined, 4],
      ['by what all containers request', { limits: { cpu: '3' } }, asking('500m', '500m'), undefined, 3],
      ['by an init container that is larger', { limits: { cpu: '8' } }, init('4', '1'), undefined, 2],
      ['by the containers, where these are larger', { limits: { cpu: '6' } }, init('500m', '2'), undefined, 3],
      ['rounded down', { limits: { cpu: '10' } }, asking('3'), undefined, 3],
      ['in thousandths of a core', { limits: { cpu: '1' } }, asking('250m'), undefined, 4],
      ['none, where the limit is below one chunk', { limits: { cpu: '1' } }, asking('2'), undefined, 0],
      ['none, where limits say nothing about what a chunk requests', { limits: { 'example.com/gpu': '4' } }, asking('1'), undefined, 0],
      [
        'as if without limits, where these say nothing about a chunk',
        { replicas: 2, limits: { cpu: '1' } },
        { containers: [] },
        undefined,
        2,
      ],
    ])('%s', (...[, spec, podSpec, scalableReplicas, expected]) => {
      const source = { template: { spec: podSpec }, ...(scalableReplicas !== undefined && { scalableReplicas }) };
      expect(bufferReplicas(spec, source)).toBe(expected);
    });
  });

  test('a tiny request under a large limit makes no more chunks than the memory holds', () => {
    expect(bufferReplicas({ limits: { cpu: '100000' } }, { template: { spec: asking('1m') } })).toBe(MOST_CHUNKS);
  });
});

describe('virtual pods', () => {
  const buffer: CapacityBuffer = {
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name: 'spare', namespace: 'shop', uid: 'u' },
    spec: {},
  };
  const template: PodTemplateSpec = {
    metadata: { labels: { app: 'web' } },
    spec: {
      nodeName: 'n',
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'team', operator: 'Exists' }],
      schedulingGates: [{ name: 'quota' }],
      containers: [{ name: 'main' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }, { name: 'scratch', ephemeral: {} }, { name: 'config' }],
    },
  };

  test('virtual pods have the names, uids and annotations of the original', () => {
    expect(virtualPods(buffer, template, 2).map(({ metadata }) => metadata)).toMatchObject([
      { name: 'capacity-buffer-spare-1', namespace: 'shop', uid: 'u-1', labels: { app: 'web' } },
      {
        name: 'capacity-buffer-spare-2',
        uid: 'u-2',
        annotations: {
          'karpenter.sh/capacity-buffer-fake-pod': 'true',
          'karpenter.sh/capacity-buffer-name': 'spare',
          'karpenter.sh/capacity-buffer-namespace': 'shop',
        },
      },
    ]);
  });

  test('they keep what decides where a pod may run, and lose what only a pod that exists can have', () => {
    const [{ spec } = { spec: { containers: [] } }] = virtualPods(buffer, template, 1);
    expect(spec).toEqual({
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'team', operator: 'Exists' }],
      containers: [{ name: 'main' }],
      volumes: [{ name: 'config' }],
      priority: -(2 ** 31),
    });
  });
});
