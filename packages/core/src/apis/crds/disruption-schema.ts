import { durationOrNeverSchema } from './field-schemas.ts';
import type { JsonSchema } from './json-schema.ts';

const budgetSchema: JsonSchema = {
  type: 'object',
  description: 'How many nodes may be disrupted at once. If several budgets apply, the smallest counts.',
  required: ['nodes'],
  properties: {
    nodes: {
      type: 'string',
      default: '10%',
      pattern: '^((100|[0-9]{1,2})%|[0-9]+)$',
      description: 'A number, or a percentage of the nodes of the pool, rounded up.',
    },
    reasons: {
      type: 'array',
      maxItems: 50,
      items: { type: 'string', enum: ['Underutilized', 'Empty', 'Drifted'] },
      description: 'The reasons that the budget applies to. Unset: all.',
      'x-kubernetes-list-type': 'set',
    },
    schedule: {
      type: 'string',
      pattern: String.raw`^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))$|^((.+)\s(.+)\s(.+)\s(.+)\s(.+))$`,
      description: 'When the budget begins to apply, in the syntax of cron, in UTC. Goes together with duration.',
    },
    duration: {
      type: 'string',
      pattern: '^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$',
      description: 'How long the budget applies after each time of the schedule. Minutes and hours only.',
    },
  },
};

/** `spec.disruption` of a NodePool. */
export const disruptionSchema: JsonSchema = {
  type: 'object',
  description: 'When, and how many at a time, nodes may be disrupted to save money or to follow a change.',
  default: { consolidateAfter: '0s' },
  properties: {
    consolidateAfter: durationOrNeverSchema(
      'How long a node must have had no pods added or removed before it is consolidated. Never: it is not.',
      '0s',
    ),
    consolidationPolicy: {
      type: 'string',
      default: 'WhenEmptyOrUnderutilized',
      enum: ['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'],
      description: 'Which nodes are consolidated: empty ones only, all, or all where the savings are worth the disruption.',
    },
    budgets: {
      type: 'array',
      maxItems: 50,
      default: [{ nodes: '10%' }],
      items: budgetSchema,
      'x-kubernetes-list-type': 'atomic',
      description: 'How many nodes may be disrupted at once.',
      'x-kubernetes-validations': [
        { rule: 'self.all(x, has(x.schedule) == has(x.duration))', message: "'schedule' must be set with 'duration'" },
      ],
    },
  },
};
