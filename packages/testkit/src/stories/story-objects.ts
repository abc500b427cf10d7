import type { NodePool } from '@karpenter/core';
import type { KubeObject } from '@karpenter/runtime';

/** A pool of the simulated cloud that takes what is cheapest; `spec` says what is different. */
export const aStoryPool = (spec: Partial<NodePool['spec']> = {}): NodePool => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: {
    template: {
      spec: {
        requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }],
        nodeClassRef: { group: 'karpenter.simulated.test', kind: 'SimulatedNodeClass', name: 'default' },
        expireAfter: 'Never',
      },
    },
    disruption: { consolidateAfter: '0s', budgets: [{ nodes: '100%' }] },
    ...spec,
  },
});

/** Pods of one cpu each. */
export const aStoryDeployment = (replicas: number): KubeObject & { readonly spec: object } => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'inflate', namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'inflate' } },
    template: {
      metadata: { labels: { app: 'inflate' } },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu: '1' } } }] },
    },
  },
});

/** A PodDisruptionBudget of the pods of `aStoryDeployment`. */
export const aStoryBudget = (limit: { readonly minAvailable: number } | { readonly maxUnavailable: number }): KubeObject => ({
  ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'inflate', namespace: 'default' } },
  ...{ spec: { ...limit, selector: { matchLabels: { app: 'inflate' } } } },
});

/** A deployment of one pod that nothing smaller than the largest size holds, whatever its cores. */
export const aLargePod = (cpu = '1'): KubeObject & { readonly spec: object } => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'large', namespace: 'default' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'large' } },
    template: {
      metadata: { labels: { app: 'large' } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu, memory: '100Gi' } } }],
      },
    },
  },
});

/** The spec of a story's pool whose nodes differ in this. */
export const storyTemplate = (spec: Partial<NodePool['spec']['template']['spec']>): Partial<NodePool['spec']> => {
  const { template } = aStoryPool().spec;
  return { template: { ...template, spec: { ...template.spec, ...spec } } };
};
