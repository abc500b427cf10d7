import { unreachable } from '../base/index.ts';

/** Selects objects by their labels. Absent selector: nothing; empty selector: everything. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

/** One requirement of a label; all requirements of a selector hold. */
export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

/** The operators of a node selector, plus `Gte` and `Lte`, which NodePools know and pods do not. */
export type NodeSelectorOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt' | 'Gte' | 'Lte';

/** One requirement of a label of a node. */
export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: NodeSelectorOperator;
  readonly values?: readonly string[];
}

/** All `matchExpressions` must hold. The terms of one selector are ORed. */
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

/** Label key → value. */
export type Labels = Readonly<Record<string, string>>;

/**
 * The value of a label; undefined where there is none. Labels come from outside and may be called like what every
 * object has: `constructor` is a label that hardly any object carries.
 */
export const labelOf = (labels: Labels | undefined, key: string): string | undefined =>
  labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;

/** Whether a list of values has this one. */
type Membership = (value: string) => boolean;

const holds = ({ key, operator }: LabelSelectorRequirement, labels: Labels, has: Membership): boolean => {
  const value = labelOf(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && has(value);
    case 'NotIn':
      return value === undefined || !has(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return unreachable(operator);
  }
};

const hasLabels = (matchLabels: Labels, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labelOf(labels, key) === value);

const NO_VALUES: readonly string[] = [];

/** Whether the selector picks an object with these labels. An absent selector picks nothing, an empty one everything. */
export const matchesLabelSelector = (selector: LabelSelector | undefined, labels: Labels = {}): boolean => {
  if (selector === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const isMet = (each: LabelSelectorRequirement): boolean => holds(each, labels, (value) => (each.values ?? NO_VALUES).includes(value));
  return hasLabels(matchLabels, labels) && matchExpressions.every(isMet);
};

/** Lists up to here are walked each time: a set takes many times the memory. */
const SHORT = 16;

/** Whether a list has so many values that a set of them is of use. */
export const isLongRequirement = ({ values = NO_VALUES }: LabelSelectorRequirement): boolean => values.length > SHORT;

const membershipOf = (requirement: LabelSelectorRequirement, expected: ReadonlySet<string>): Membership => {
  const { values = NO_VALUES } = requirement;
  if (!isLongRequirement(requirement) || expected.size === 0) return (value) => values.includes(value);
  const found = new Set(values.filter((value) => expected.has(value)));
  return (value) => (expected.has(value) ? found.has(value) : values.includes(value));
};

/**
 * The same answers for a selector that many objects are compared with: each costs its requirements. Costs their values
 * once. `expectedOf`: the values of a label that the objects have. Of a long list only these are kept in a set, so that
 * its memory is bounded by the objects; another value walks the list.
 */
export const labelSelectorMatcher = (
  selector: LabelSelector | undefined,
  expectedOf: (key: string) => ReadonlySet<string>,
): ((labels?: Labels) => boolean) => {
  if (selector === undefined) return () => false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const requirements = matchExpressions.map((each) => ({ each, has: membershipOf(each, expectedOf(each.key)) }));
  return (labels = {}) => hasLabels(matchLabels, labels) && requirements.every(({ each, has }) => holds(each, labels, has));
};

const NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const DOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/**
 * `name` or `prefix/name`: at most 63 characters of name and 253 of DNS subdomain. Source: apimachinery, `IsQualifiedName`.
 */
export const isLabelKey = (text: string): boolean => {
  const parts = text.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2 || !NAME.test(name)) return false;
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined;
  return domain === undefined || (domain.length <= 253 && DOMAIN.test(domain));
};

/** Empty, or at most 63 characters that begin and end with a letter or digit. Source: apimachinery, `IsValidLabelValue`. */
export const isLabelValue = (text: string): boolean => text === '' || NAME.test(text);

/** What stands before the slash of a label key; empty when there is none. */
export const labelDomainOf = (key: string): string => (key.includes('/') ? key.slice(0, key.indexOf('/')) : '');
