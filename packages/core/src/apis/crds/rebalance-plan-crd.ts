import type { CustomResourceDefinition, JsonSchema, PrinterColumn } from './custom-resource-definition.ts';
import { conditionsSchema, countSchema } from './field-schemas.ts';
import { karpenterCrd } from './custom-resource-definition.ts';

const columns: readonly PrinterColumn[] = [
  { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
  { name: 'Waves', type: 'integer', jsonPath: '.status.waves' },
  { name: 'Nodes', type: 'integer', jsonPath: '.status.nodes' },
  { name: 'Saves', type: 'string', jsonPath: '.status.savingsPerHour' },
  { name: 'Planned', type: 'string', jsonPath: '.status.plannedSavingsPerHour' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'Message', type: 'string', jsonPath: '.status.message', priority: 1 },
];
const text = (description: string): JsonSchema => ({ type: 'string', description });
const time = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description });

const spec: JsonSchema = {
  type: 'object',
  description: 'How far the rebalance goes.',
  properties: {
    maxMoves: countSchema('The most pods that move, all waves together. Unset: any number.'),
    targetSavingsPerHour: {
      type: 'string',
      pattern: String.raw`^\d+(\.\d+)?$`,
      description: 'Dollars an hour. No new wave starts once this is saved. If unset, there is no target.',
    },
    paused: {
      type: 'boolean',
      description: 'No further wave starts. A wave whose machines are being launched or whose nodes drain is carried through.',
    },
    cancelled: {
      type: 'boolean',
      description: 'Stops the plan permanently. A wave that has not begun to drain is rolled back.',
    },
  },
};

const wave: JsonSchema = {
  type: 'object',
  description: 'The wave under way.',
  required: ['startTime', 'nodes', 'machines', 'pods'],
  properties: {
    startTime: time('When the wave was planned.'),
    nodes: {
      type: 'array',
      description: 'The nodes that go together.',
      items: {
        type: 'object',
        required: ['name', 'nodeClaim', 'price'],
        properties: {
          name: text('The name of the node.'),
          nodeClaim: text('The name of its NodeClaim.'),
          price: text('What it costs, in dollars an hour.'),
        },
      },
    },
    machines: countSchema('Machines that come before the nodes go.'),
    pods: countSchema('Pods that move.'),
  },
};

export const rebalancePlanCrd: CustomResourceDefinition = karpenterCrd({
  kind: 'RebalancePlan',
  version: 'v1alpha1',
  description: 'RebalancePlan asks the controller to rebalance the cluster, in waves that keep all budgets.',
  columns,
  spec,
  status: {
    type: 'object',
    description: 'The observed state of the plan.',
    properties: {
      phase: { type: 'string', enum: ['Pending', 'Running', 'Paused', 'Completed', 'Cancelled'], description: 'How far the plan is.' },
      message: text('What the controller does or waits for.'),
      completionTime: time('When the plan was completed or cancelled.'),
      waves: countSchema('Waves whose nodes are gone.'),
      nodes: countSchema('Nodes that are gone.'),
      pods: countSchema('Pods that moved.'),
      savingsPerHour: text('Dollars an hour that the waves have saved, by the prices of the machines that came.'),
      plannedSavingsPerHour: text('Dollars an hour that the wave under way and those after it would save.'),
      wave,
      retryTime: time('After a wave that was called off: no other starts before.'),
      conditions: conditionsSchema(true),
    },
  },
});
