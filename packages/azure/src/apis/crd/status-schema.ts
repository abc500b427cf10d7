import type { JsonSchema } from '@karpenter/core';

const condition: JsonSchema = {
  type: 'object',
  required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
  properties: {
    type: { type: 'string', maxLength: 316 },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    reason: { type: 'string', maxLength: 1024, minLength: 1, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
    message: { type: 'string', maxLength: 32768 },
    lastTransitionTime: { type: 'string', format: 'date-time' },
    observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
  },
};

const image: JsonSchema = {
  type: 'object',
  required: ['id', 'requirements'],
  properties: {
    id: { type: 'string', description: 'Image version in a gallery.' },
    requirements: {
      type: 'array',
      description: 'What a size must meet to run the image.',
      items: {
        type: 'object',
        required: ['key', 'operator'],
        properties: {
          key: { type: 'string' },
          operator: { type: 'string' },
          values: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
        },
      },
    },
  },
};

/** `status` of an AKSNodeClass. */
export const statusSchema: JsonSchema = {
  type: 'object',
  description: 'What the controller resolved.',
  properties: {
    images: { type: 'array', items: image, description: 'Images in order of preference.' },
    kubernetesVersion: { type: 'string', description: 'Version that new nodes run.' },
    localDNSState: { type: 'string', enum: ['Enabled', 'Disabled'], description: 'Whether new nodes get the DNS cache.' },
    conditions: { type: 'array', items: condition, description: 'Ready is True when all others are.' },
  },
};
