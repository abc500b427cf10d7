import type { KubeObject } from '@karpenter/runtime';

/** As kubernetes-sigs/scheduler-plugins has it, as far as Karpenter reads it. */
export const podGroupCrd: KubeObject & { readonly spec: object } = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'podgroups.scheduling.x-k8s.io', annotations: { 'api-approved.kubernetes.io': 'https://example.com' } },
  spec: {
    group: 'scheduling.x-k8s.io',
    names: { kind: 'PodGroup', plural: 'podgroups' },
    scope: 'Namespaced',
    versions: [
      {
        ...{ name: 'v1alpha1', served: true, storage: true },
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { minMember: { type: 'integer' } } } } },
        },
      },
    ],
  },
};
