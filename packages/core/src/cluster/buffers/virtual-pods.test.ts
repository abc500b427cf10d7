import { expect, test } from '@jest/globals';
import type { CapacityBuffer } from '../../apis/index.ts';
import type { PodTemplateSpec } from '../../kube/index.ts';
import { virtualPods } from './virtual-pods.ts';

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
