import { ACTIVE_CAPACITY, CAPACITY_BUFFER_GROUP } from '../capacity-buffer.ts';
import type { CustomResourceDefinition, JsonSchema, PrinterColumn } from './custom-resource-definition.ts';
import { conditionsSchema, resourceListSchema, countSchema } from './field-schemas.ts';

const columns: readonly PrinterColumn[] = [
  { name: 'Strategy', type: 'string', jsonPath: '.spec.provisioningStrategy' },
  { name: 'PodTemplate', type: 'string', jsonPath: '.status.podTemplateRef.name' },
  { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
  { name: 'ConditionsType', type: 'string', jsonPath: '.status.conditions[*].type' },
  { name: 'ConditionsStatus', type: 'string', jsonPath: '.status.conditions[*].status' },
  { name: 'ConditionsReason', type: 'string', jsonPath: '.status.conditions[*].reason' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'Price', type: 'string', jsonPath: '.status.pricePerHour', priority: 1 },
];

const nameSchema = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description });

const templateRefSchema = (description: string): JsonSchema => ({
  type: 'object',
  description,
  required: ['name'],
  properties: { name: nameSchema('The name of the PodTemplate.') },
});

const spec: JsonSchema = {
  type: 'object',
  description: 'Which pods there must be room for, and for how many. A chunk is the room of one pod.',
  properties: {
    provisioningStrategy: {
      type: 'string',
      default: ACTIVE_CAPACITY,
      description: `How the room is kept. ${ACTIVE_CAPACITY}: free on nodes that are up.`,
    },
    podTemplateRef: templateRefSchema('The PodTemplate of a chunk, in the namespace of the buffer. Either this or scalableRef.'),
    scalableRef: {
      type: 'object',
      description: 'The workload whose pods are the chunks, in the namespace of the buffer. Either this or podTemplateRef.',
      required: ['kind', 'name'],
      properties: {
        apiGroup: { type: 'string', description: 'Its API group: apps, also when empty.' },
        kind: nameSchema('Its kind: Deployment, StatefulSet or ReplicaSet.'),
        name: nameSchema('Its name.'),
      },
    },
    replicas: countSchema('How many chunks. With percentage as well, the larger number counts; limits cap both.'),
    percentage: countSchema('How many chunks, in per cent of the replicas of scalableRef, rounded up.'),
    limits: resourceListSchema('The most that all chunks together may request. Without replicas and percentage: as many chunks as fit.'),
  },
  'x-kubernetes-validations': [
    {
      rule: '!has(self.podTemplateRef) || has(self.replicas) || has(self.limits)',
      message: 'If podTemplateRef is set, replicas or limits must also be set',
    },
    {
      rule: '!(has(self.podTemplateRef) && has(self.scalableRef))',
      message: 'You must define either PodTemplateRef or ScalableRef, but not both',
    },
  ],
};

const status: JsonSchema = {
  type: 'object',
  description: 'The observed state of the buffer.',
  properties: {
    podTemplateRef: templateRefSchema('The PodTemplate that was read.'),
    replicas: { type: 'integer', format: 'int32', description: 'How many chunks are kept now.' },
    podTemplateGeneration: { type: 'integer', format: 'int64', description: 'The generation of the PodTemplate that was read.' },
    provisioningStrategy: { type: 'string', description: 'How the room is kept.' },
    pricePerHour: { type: 'string', description: 'What the room costs an hour, in the currency of the prices.' },
    conditions: conditionsSchema(true),
  },
};

/** The CRD of CapacityBuffers: that of SIG Autoscaling, and `status.pricePerHour`. */
export const capacityBufferCrd: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `capacitybuffers.${CAPACITY_BUFFER_GROUP}` },
  spec: {
    group: CAPACITY_BUFFER_GROUP,
    names: {
      categories: ['autoscaling'],
      kind: 'CapacityBuffer',
      listKind: 'CapacityBufferList',
      plural: 'capacitybuffers',
      shortNames: ['cb'],
      singular: 'capacitybuffer',
    },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1beta1',
        served: true,
        storage: true,
        additionalPrinterColumns: columns,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'CapacityBuffer keeps room for some pods more free on nodes that are up.',
            required: ['spec'],
            properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' }, spec, status },
          },
        },
      },
    ],
  },
};
