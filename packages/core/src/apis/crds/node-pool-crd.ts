import type { CustomResourceDefinition, JsonSchema, LabelRules, PrinterColumn } from './custom-resource-definition.ts';
import {
  LABEL_VALUE,
  conditionsSchema,
  durationOrNeverSchema,
  durationSchema,
  MOST_OF_A_DURATION,
  lifeDescriptions,
  nodeClassRefSchema,
  requirementsSchema,
  resourceListSchema,
  taintsSchema,
} from './field-schemas.ts';
import { karpenterCrd, noLabelRules, nodePoolKeyRule, overKeys, ownKeyRules } from './custom-resource-definition.ts';

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
      maxLength: 1000,
      pattern: String.raw`^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))$|^((.+)\s(.+)\s(.+)\s(.+)\s(.+))$`,
      description: 'When the budget begins to apply, in the syntax of cron, in UTC. Goes together with duration.',
    },
    duration: {
      type: 'string',
      maxLength: MOST_OF_A_DURATION,
      pattern: '^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$',
      description: 'How long the budget applies after each time of the schedule. Minutes and hours only.',
    },
  },
};

/** `spec.disruption` of a NodePool. */
const disruptionSchema: JsonSchema = {
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

const columns: readonly PrinterColumn[] = [
  { name: 'NodeClass', type: 'string', jsonPath: '.spec.template.spec.nodeClassRef.name' },
  { name: 'Nodes', type: 'string', jsonPath: '.status.nodes' },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'Types', type: 'integer', jsonPath: '.status.instanceTypes' },
  { name: 'Weight', type: 'integer', jsonPath: '.spec.weight', priority: 1 },
  { name: 'CPU', type: 'string', jsonPath: '.status.resources.cpu', priority: 1 },
  { name: 'Memory', type: 'string', jsonPath: '.status.resources.memory', priority: 1 },
];

const templateMetadata = (rules: LabelRules): JsonSchema => ({
  type: 'object',
  description: 'What every node of the pool carries.',
  properties: {
    labels: {
      type: 'object',
      description: 'Labels of the nodes.',
      maxProperties: 100,
      additionalProperties: { type: 'string', maxLength: 63, pattern: LABEL_VALUE },
      'x-kubernetes-map-type': 'atomic',
      'x-kubernetes-validations': [...overKeys([...ownKeyRules('x'), nodePoolKeyRule('x')]), ...rules.labelMap],
    },
    annotations: {
      type: 'object',
      description: 'Annotations of the nodes.',
      additionalProperties: { type: 'string' },
      'x-kubernetes-map-type': 'granular',
    },
  },
});

const templateSpec = (rules: LabelRules): JsonSchema => ({
  type: 'object',
  description: 'How the machines of the pool are created, and how their lives end.',
  required: ['nodeClassRef', 'requirements'],
  properties: {
    taints: taintsSchema(lifeDescriptions.taints),
    startupTaints: taintsSchema(lifeDescriptions.startupTaints),
    requirements: requirementsSchema([...ownKeyRules('self'), nodePoolKeyRule('self'), ...rules.requirementKey]),
    nodeClassRef: nodeClassRefSchema([
      { rule: 'self.group == oldSelf.group', message: 'nodeClassRef.group is immutable' },
      { rule: 'self.kind == oldSelf.kind', message: 'nodeClassRef.kind is immutable' },
    ]),
    expireAfter: durationOrNeverSchema(lifeDescriptions.expireAfter, '720h'),
    terminationGracePeriod: durationSchema(lifeDescriptions.terminationGracePeriod),
  },
});

const specSchema = (rules: LabelRules): JsonSchema => ({
  type: 'object',
  description: 'Which machines the pool may have, and when they may be disrupted.',
  required: ['template'],
  properties: {
    template: {
      type: 'object',
      description: 'The template of the NodeClaims of the pool.',
      required: ['spec'],
      properties: { metadata: templateMetadata(rules), spec: templateSpec(rules) },
    },
    disruption: disruptionSchema,
    limits: resourceListSchema('Upper bounds on the total resources of the nodes of the pool; the resource nodes counts nodes.'),
    minimum: resourceListSchema(
      'What the nodes of the pool have together at least, whether or not pods need it; the resource nodes counts nodes. Limits come first.',
    ),
    weight: {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 100,
      description: 'Pools with a higher weight are tried first. Unset counts as 0.',
    },
    replicas: {
      type: 'integer',
      format: 'int64',
      minimum: 0,
      description: 'Alpha. The fixed number of nodes that the pool keeps, regardless of pods. If set, the pool is static.',
    },
  },
  'x-kubernetes-validations': [
    {
      rule: 'has(self.replicas) == has(oldSelf.replicas)',
      message: 'Cannot transition between static (replicas set) and dynamic (replicas unset) provisioning mode',
    },
    {
      rule: "!has(self.replicas) || !has(self.limits) || self.limits.all(x, x == 'nodes')",
      message: "only 'limits.nodes' is supported on static NodePools",
    },
    { rule: '!has(self.replicas) || !has(self.weight)', message: "'weight' is not supported on static NodePools" },
    { rule: '!has(self.replicas) || !has(self.minimum)', message: "'minimum' is not supported on static NodePools" },
  ],
});

const statusSchema: JsonSchema = {
  type: 'object',
  description: 'The observed state of the pool.',
  properties: {
    resources: resourceListSchema('The total resources of the nodes of the pool.'),
    nodes: { type: 'integer', format: 'int64', default: 0, description: 'How many nodes the pool has.' },
    instanceTypes: {
      type: 'integer',
      format: 'int64',
      description: 'How many instance types of the provider meet the requirements of the pool.',
    },
    nodeClassObservedGeneration: { type: 'integer', format: 'int64', description: 'The generation of the NodeClass that was observed.' },
    conditions: conditionsSchema(true),
  },
};

/** The CRD of NodePools, with what the cluster's cloud adds about labels. */
export const nodePoolCrdWith = (rules: LabelRules): CustomResourceDefinition =>
  karpenterCrd({
    kind: 'NodePool',
    version: 'v1',
    description: 'NodePool defines which machines Karpenter may launch for pods that fit on no node.',
    columns,
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.nodes' },
    spec: specSchema(rules),
    status: statusSchema,
  });

/** The same without what a cloud adds. */
export const nodePoolCrd: CustomResourceDefinition = nodePoolCrdWith(noLabelRules);
