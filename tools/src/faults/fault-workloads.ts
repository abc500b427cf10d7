import type { NodePool } from '@karpenter/core';
import type { KubeObject } from '@karpenter/runtime';
import { aDeployment, aNodeClass, aPool, oneOf } from '../../../apps/controller/src/testing/clusters/objects.ts';

const cpuLabel = 'karpenter.azure.com/sku-cpu';

/** Pods that never share a node: as many machines as pods, no more at any time of a scale-up. */
export const ALONE = { name: 'alone', pool: 'small' };
/** Pods that share nodes, which get smaller when there are fewer. */
export const SHARED = { name: 'shared', pool: 'mixed' };

const aPoolNamed = (name: string, ...cpus: readonly string[]): NodePool & KubeObject => {
  const pool = aPool([oneOf(cpuLabel, ...cpus)]);
  return { ...pool, metadata: { name } };
};

const apart = {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: ALONE.name } } },
    ],
  },
};

/** Drains wait for pods that came back elsewhere. */
const oneAtATime = {
  ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: ALONE.name, namespace: 'default' } },
  spec: { maxUnavailable: 1, selector: { matchLabels: { app: ALONE.name } } },
};

const inPool = (name: string): object => ({ nodeSelector: { 'karpenter.sh/nodepool': name } });

/** What a round begins with. */
export const firstObjects = [
  aNodeClass,
  aPoolNamed(ALONE.pool, '2'),
  aPoolNamed(SHARED.pool, '2', '4', '8'),
  aDeployment({ name: ALONE.name, replicas: 0, cpu: '500m', podSpec: { affinity: apart, ...inPool(ALONE.pool) } }),
  aDeployment({ name: SHARED.name, replicas: 0, cpu: '1', podSpec: inPool(SHARED.pool) }),
  oneAtATime,
];
