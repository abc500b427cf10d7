import type { JsonSchema } from './json-schema.ts';

export const QUALIFIED_NAME = String.raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`;
export const LABEL_VALUE = String.raw`^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`;
const QUANTITY = String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`;

export const durationSchema = (description: string): JsonSchema => ({ type: 'string', description, pattern: '^([0-9]+(s|m|h))+$' });

export const durationOrNeverSchema = (description: string, byDefault: string): JsonSchema => ({
  type: 'string',
  description,
  default: byDefault,
  pattern: '^(([0-9]+(s|m|h))+|Never)$',
});

export const resourceListSchema = (description: string): JsonSchema => ({
  type: 'object',
  description,
  additionalProperties: { anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: QUANTITY, 'x-kubernetes-int-or-string': true },
});

const conditionSchema = (isReasonRequired: boolean): JsonSchema => ({
  type: 'object',
  required: isReasonRequired ? ['lastTransitionTime', 'message', 'reason', 'status', 'type'] : ['lastTransitionTime', 'status', 'type'],
  properties: {
    type: {
      type: 'string',
      maxLength: 316,
      pattern: String.raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`,
      description: 'What the condition is about.',
    },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'], description: 'Whether it holds.' },
    reason: {
      type: 'string',
      maxLength: 1024,
      ...(isReasonRequired ? { minLength: 1 } : {}),
      pattern: isReasonRequired ? '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' : '^([A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?|)$',
      description: 'Why, in one word for programs.',
    },
    message: { type: 'string', maxLength: 32768, description: 'Why, in words for people.' },
    lastTransitionTime: { type: 'string', format: 'date-time', description: 'When the status last changed.' },
    observedGeneration: { type: 'integer', format: 'int64', minimum: 0, description: 'The generation of the object that was looked at.' },
  },
});

/** `status.conditions`; NodeClaims may leave reason and message out. */
export const conditionsSchema = (isReasonRequired: boolean): JsonSchema => ({
  type: 'array',
  description: 'What has been observed. Ready sums it up.',
  items: conditionSchema(isReasonRequired),
  'x-kubernetes-list-map-keys': ['type'],
  'x-kubernetes-list-type': 'map',
});
