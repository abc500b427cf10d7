import type { CustomResourceDefinition, JsonSchema } from '@karpenter/core';
import { specSchema } from './spec-schema.ts';
import { statusSchema } from './status-schema.ts';

const schema: JsonSchema = {
  type: 'object',
  description: 'AKSNodeClass says how the machines of a NodePool are made on AKS.',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: specSchema,
    status: statusSchema,
  },
};

const version = (name: string): CustomResourceDefinition['spec']['versions'][number] => ({
  name,
  served: true,
  storage: name === 'v1beta1',
  ...(name === 'v1alpha2' && {
    deprecated: true,
    deprecationWarning: 'karpenter.azure.com/v1alpha2 AKSNodeClass is deprecated; use karpenter.azure.com/v1beta1',
  }),
  additionalPrinterColumns: [
    { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'ImageFamily', type: 'string', jsonPath: '.spec.imageFamily', priority: 1 },
  ],
  subresources: { status: {} },
  schema: { openAPIV3Schema: schema },
});

/** The CustomResourceDefinition of AKSNodeClass: two versions of one shape, so that no conversion webhook is needed. */
export const aksNodeClassCrd: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'aksnodeclasses.karpenter.azure.com' },
  spec: {
    group: 'karpenter.azure.com',
    names: {
      categories: ['karpenter', 'nap'],
      kind: 'AKSNodeClass',
      listKind: 'AKSNodeClassList',
      plural: 'aksnodeclasses',
      shortNames: ['aksnc', 'aksncs'],
      singular: 'aksnodeclass',
    },
    scope: 'Cluster',
    conversion: { strategy: 'None' },
    versions: [version('v1alpha2'), version('v1beta1')],
  },
};
