import { MOST_CLAIM_REQUIREMENTS } from '../node-claim.ts';
import type { CelRule, JsonSchema } from './custom-resource-definition.ts';

const QUALIFIED_NAME = String.raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`;
export const LABEL_VALUE = String.raw`^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`;
const QUANTITY = String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`;

/** Longer durations are read as none: see `durationMs`. */
export const MOST_OF_A_DURATION = 100;

/** A count of at least zero. */
export const countSchema = (description: string): JsonSchema => ({ type: 'integer', format: 'int32', minimum: 0, description });

export const durationSchema = (description: string): JsonSchema => ({
  type: 'string',
  description,
  maxLength: MOST_OF_A_DURATION,
  pattern: '^([0-9]+(s|m|h))+$',
});

export const durationOrNeverSchema = (description: string, byDefault: string): JsonSchema => ({
  type: 'string',
  description,
  default: byDefault,
  maxLength: MOST_OF_A_DURATION,
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
    observedGeneration: { type: 'integer', format: 'int64', minimum: 0, description: 'The generation of the object that was observed.' },
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

const taintSchema: JsonSchema = {
  type: 'object',
  description: 'Keeps pods that do not tolerate it off the node.',
  required: ['effect', 'key'],
  properties: {
    key: { type: 'string', minLength: 1, pattern: QUALIFIED_NAME, description: 'The key of the taint.' },
    value: { type: 'string', pattern: LABEL_VALUE, description: 'The value of the taint.' },
    effect: {
      type: 'string',
      enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
      description: 'What happens to pods that do not tolerate it.',
    },
    timeAdded: { type: 'string', format: 'date-time', description: 'When the taint was added.' },
  },
};

export const taintsSchema = (description: string): JsonSchema => ({
  type: 'array',
  description,
  items: taintSchema,
  'x-kubernetes-list-type': 'atomic',
});

const BOUNDING = "['Gt', 'Lt', 'Gte', 'Lte']";
const valueRules: readonly CelRule[] = [
  {
    rule: "self.all(x, x.operator != 'In' || (has(x.values) && x.values.size() != 0))",
    message: "requirements with operator 'In' must have a value defined",
  },
  {
    rule: `self.all(x, !(x.operator in ${BOUNDING}) || (has(x.values) && x.values.size() == 1 && int(x.values[0]) >= 0))`,
    message: "requirements with operator 'Gt', 'Lt', 'Gte' or 'Lte' must have a single value that is an integer of at least 0",
  },
];
const minValuesRule: CelRule = {
  rule: "self.all(x, x.operator != 'In' || !has(x.minValues) || (has(x.values) && x.values.size() >= x.minValues))",
  message: "requirements with 'minValues' must have at least that many values specified in the 'values' field",
};
const excludingRule: CelRule = {
  rule: "self.all(x, x.operator != 'NotIn' || (has(x.values) && x.values.size() != 0))",
  message: "requirements with operator 'NotIn' must have a value defined",
};

/** `valueShape`: more that each value has to be. */
const selectorProperties = (keyRules: readonly CelRule[], valueShape: JsonSchema = {}): Readonly<Record<string, JsonSchema>> => ({
  key: { type: 'string', maxLength: 316, pattern: QUALIFIED_NAME, description: 'The label.', 'x-kubernetes-validations': keyRules },
  operator: {
    type: 'string',
    enum: ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'],
    description: 'How the label relates to the values.',
  },
  values: {
    type: 'array',
    description: 'At least one for In; exactly one integer for Gt, Lt, Gte and Lte; none for Exists and DoesNotExist.',
    items: { type: 'string', maxLength: 63, ...valueShape },
    'x-kubernetes-list-type': 'atomic',
  },
});

/** Requirements on the labels of nodes; `keyRules` say which labels may be named, `valueShape` what a value has to be. */
export const requirementsSchema = (keyRules: readonly CelRule[], valueShape?: JsonSchema): JsonSchema => ({
  type: 'array',
  description: 'Requirements on the labels of a node. All of them must be met.',
  maxItems: MOST_CLAIM_REQUIREMENTS,
  items: {
    type: 'object',
    description: 'A node selector requirement, with an optional minimum of distinct values.',
    required: ['key', 'operator'],
    properties: {
      ...selectorProperties(keyRules, valueShape),
      minValues: {
        type: 'integer',
        minimum: 1,
        maximum: 50,
        description: 'Alpha. How many distinct values of the label the instance types to choose from must offer.',
      },
    },
  },
  'x-kubernetes-list-type': 'atomic',
  'x-kubernetes-validations': [...valueRules, minValuesRule],
});

/** The same without `minValues`: which nodes something applies to. */
export const selectorsSchema = (keyRules: readonly CelRule[]): JsonSchema => ({
  type: 'array',
  description: 'Requirements on the labels of a node. All of them must be met.',
  maxItems: 100,
  items: {
    type: 'object',
    description: 'A node selector requirement.',
    required: ['key', 'operator'],
    properties: selectorProperties(keyRules),
  },
  'x-kubernetes-list-type': 'atomic',
  'x-kubernetes-validations': [...valueRules, excludingRule],
});

const nonEmpty: readonly CelRule[] = [{ rule: "self != ''", message: 'may not be empty' }];

/** Names the provider's object; `rules` on the whole. */
export const nodeClassRefSchema = (rules: readonly CelRule[] = []): JsonSchema => ({
  type: 'object',
  description: 'The object of the cloud provider that defines how machines are created.',
  required: ['group', 'kind', 'name'],
  properties: {
    group: { type: 'string', pattern: '^[^/]*$', description: 'API group, without version.', 'x-kubernetes-validations': nonEmpty },
    kind: { type: 'string', description: 'Kind, in CamelCase.', 'x-kubernetes-validations': nonEmpty },
    name: { type: 'string', description: 'Name.', 'x-kubernetes-validations': nonEmpty },
  },
  ...(rules.length > 0 ? { 'x-kubernetes-validations': rules } : {}),
});

/** Descriptions that NodePool templates and NodeClaims share. */
export const lifeDescriptions = {
  taints: 'Taints of the node throughout its life.',
  startupTaints: 'Taints that something on the node removes once it is ready; pods need not tolerate them to be planned for the node.',
  expireAfter: 'How long a node lives before it is replaced. Never: nodes do not expire.',
  terminationGracePeriod: 'How long a drain may take before the remaining pods are deleted, whatever protects them. Unset: no limit.',
} as const;
