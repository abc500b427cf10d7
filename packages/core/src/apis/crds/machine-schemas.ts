import { LABEL_VALUE, QUALIFIED_NAME } from './field-schemas.ts';
import type { CelRule, JsonSchema } from './json-schema.ts';

const taintSchema: JsonSchema = {
  type: 'object',
  description: 'Keeps pods away that do not tolerate it.',
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

export const taintsSchema = (description: string): JsonSchema => ({ type: 'array', description, items: taintSchema });

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

const selectorProperties = (keyRules: readonly CelRule[]): Readonly<Record<string, JsonSchema>> => ({
  key: { type: 'string', maxLength: 316, pattern: QUALIFIED_NAME, description: 'The label.', 'x-kubernetes-validations': keyRules },
  operator: {
    type: 'string',
    enum: ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'],
    description: 'How the label relates to the values.',
  },
  values: {
    type: 'array',
    description: 'At least one for In; exactly one integer for Gt, Lt, Gte and Lte; none for Exists and DoesNotExist.',
    items: { type: 'string', maxLength: 63 },
    'x-kubernetes-list-type': 'set',
  },
});

/** Requirements on the labels of nodes; `keyRules` say which labels may be named. */
export const requirementsSchema = (keyRules: readonly CelRule[]): JsonSchema => ({
  type: 'array',
  description: 'What the labels of a node must be. All must hold.',
  maxItems: 100,
  items: {
    type: 'object',
    description: 'A node selector requirement, with a wish for variety.',
    required: ['key', 'operator'],
    properties: {
      ...selectorProperties(keyRules),
      minValues: {
        type: 'integer',
        minimum: 1,
        maximum: 50,
        description: 'Alpha. How many distinct values of the label the instance types must offer among which a machine is chosen.',
      },
    },
  },
  'x-kubernetes-validations': [...valueRules, minValuesRule],
});

/** The same without a wish for variety: which nodes something is about. */
export const selectorsSchema = (keyRules: readonly CelRule[]): JsonSchema => ({
  type: 'array',
  description: 'What the labels of a node must be. All must hold.',
  maxItems: 100,
  items: {
    type: 'object',
    description: 'A node selector requirement.',
    required: ['key', 'operator'],
    properties: selectorProperties(keyRules),
  },
  'x-kubernetes-validations': [...valueRules, excludingRule],
});

const nonEmpty: readonly CelRule[] = [{ rule: "self != ''", message: 'may not be empty' }];

/** Names the provider's object; `rules` on the whole. */
export const nodeClassRefSchema = (rules: readonly CelRule[] = []): JsonSchema => ({
  type: 'object',
  description: 'The object of the cloud provider that says how machines are made.',
  required: ['group', 'kind', 'name'],
  properties: {
    group: { type: 'string', pattern: '^[^/]*$', description: 'API group, without version.', 'x-kubernetes-validations': nonEmpty },
    kind: { type: 'string', description: 'Kind, in CamelCase.', 'x-kubernetes-validations': nonEmpty },
    name: { type: 'string', description: 'Name.', 'x-kubernetes-validations': nonEmpty },
  },
  ...(rules.length > 0 ? { 'x-kubernetes-validations': rules } : {}),
});

/** What NodePool templates and NodeClaims say alike about how a machine begins and ends. */
export const lifeDescriptions = {
  taints: 'Taints of the node, for as long as it stands.',
  startupTaints: 'Taints that something on the node will take away when it is ready; pods need not tolerate them to be planned for.',
  expireAfter: 'How long a node lives before it is replaced. Never: it does not expire.',
  terminationGracePeriod: 'How long a drain may take before what is left is deleted, whatever guards it. Unset: as long as it takes.',
} as const;
