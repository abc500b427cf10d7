import { addToGroup, compareText, isFieldProblem, unreachable } from '../base/index.ts';
import type { FieldProblem } from '../base/index.ts';
import { defaultLabelCatalog } from '../apis/index.ts';
import type { LabelCatalog, RequirementSpec } from '../apis/index.ts';
import { isLabelValue, labelOf } from '../kube/index.ts';
import type { Labels, NodeSelectorOperator } from '../kube/index.ts';
import { admits, allBut, andAll, anyValue, intersects, noValue } from './requirement.ts';
import type { Requirement } from './requirement.ts';

type Meaning = Pick<Requirement, 'values' | 'mayBeAbsent'>;
type Bounding = Extract<NodeSelectorOperator, 'Gt' | 'Gte' | 'Lt' | 'Lte'>;

const BOUNDING: ReadonlySet<NodeSelectorOperator> = new Set<Bounding>(['Gt', 'Gte', 'Lt', 'Lte']);
const INTEGER = /^-?\d+$/;

const boundsOf = (operator: Bounding, bound: number): { gte?: number; lte?: number } => {
  switch (operator) {
    case 'Gt':
      return { gte: bound + 1 };
    case 'Gte':
      return { gte: bound };
    case 'Lt':
      return { lte: bound - 1 };
    case 'Lte':
      return { lte: bound };
    default:
      return unreachable(operator);
  }
};

const bounded = (operator: Bounding, values: readonly string[]): Meaning | string => {
  const [value = ''] = values;
  if (values.length !== 1 || !INTEGER.test(value)) return `${operator} takes exactly one integer`;
  const bound = Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(value)));
  return { values: allBut([], boundsOf(operator, bound)), mayBeAbsent: false };
};

const meaningOf = (operator: NodeSelectorOperator, values: readonly string[]): Meaning | string => {
  switch (operator) {
    case 'In':
      return values.length === 0 ? 'In takes at least one value' : { values: { kind: 'in', values: new Set(values) }, mayBeAbsent: false };
    case 'NotIn':
      return { values: allBut(values), mayBeAbsent: true };
    case 'Exists':
      return { values: anyValue, mayBeAbsent: false };
    case 'DoesNotExist':
      return { values: noValue, mayBeAbsent: true };
    case 'Gt':
    case 'Gte':
    case 'Lt':
    case 'Lte':
      return bounded(operator, values);
    default:
      return `${String(operator)} is no operator; accepted are In, NotIn, Exists, DoesNotExist, Gt, Gte, Lt and Lte`;
  }
};

/** The key and values that are meant, where a deprecated or foreign name was written. */
const normalized = ({ key, values = [] }: RequirementSpec, catalog: LabelCatalog): { key: string; values: readonly string[] } => {
  const meant = catalog.normalizedKeys.get(key) ?? key;
  const byValue = catalog.normalizedValues.get(meant);
  return { key: meant, values: byValue === undefined ? values : values.map((value) => byValue.get(value) ?? value) };
};

/**
 * What a written requirement means, or what is wrong with it. `field` leads the problem's path.
 * Differs: a bound that is no integer is a problem; the original reads it as 0.
 */
export const requirementOf = (spec: RequirementSpec, catalog: LabelCatalog, field = 'requirement'): Requirement | FieldProblem => {
  const { key, values } = normalized(spec, catalog);
  const meaning = meaningOf(spec.operator, values);
  if (typeof meaning === 'string')
    return { field: `${field}[${spec.key}]`, value: `${spec.operator} [${values.join(', ')}]`, problem: meaning };
  return spec.minValues === undefined ? { key, ...meaning } : { key, ...meaning, minValues: spec.minValues };
};

/** Label key → requirement. A key that is not there is unconstrained. */
export type Requirements = ReadonlyMap<string, Requirement>;

/** All of them at once: requirements on one key are ANDed, a key's all together. O(values of all). */
export const allOf = (each: Iterable<Requirement>): Requirements => {
  const all = new Map<string, Requirement>();
  const further = new Map<string, Requirement[]>();
  for (const requirement of each) {
    const { key } = requirement;
    if (all.has(key)) addToGroup(further, key, requirement);
    else all.set(key, requirement);
  }
  for (const [key, others] of further) {
    const first = all.get(key);
    if (first !== undefined) all.set(key, andAll(first, others));
  }
  return all;
};

/** Both at once. Returns the argument itself where the other is empty. */
export const merge = (a: Requirements, b: Requirements): Requirements => {
  if (a.size === 0) return b;
  return b.size === 0 ? a : allOf([...a.values(), ...b.values()]);
};

/** What people wrote, or the first problem with it. */
const parseRequirements = (specs: readonly RequirementSpec[], catalog: LabelCatalog, field?: string): Requirements | FieldProblem => {
  const parsed: Requirement[] = [];
  for (const spec of specs) {
    const requirement = requirementOf(spec, catalog, field);
    if (isFieldProblem(requirement)) return requirement;
    parsed.push(requirement);
  }
  return allOf(parsed);
};

/** The bounds that a well-formed requirement sets. */
const boundsIn = ({ operator, values = [] }: RequirementSpec): { readonly gte?: number; readonly lte?: number } => {
  const meaning = BOUNDING.has(operator) ? meaningOf(operator, values) : undefined;
  return typeof meaning === 'object' && meaning.values.kind === 'not-in' ? meaning.values : {};
};

/** Whether a value that a label may have meets the requirement: no label is negative. True for malformed ones. */
export const canBeMet = (spec: RequirementSpec): boolean => {
  const { operator, values = [] } = spec;
  if (operator === 'In') return values.length === 0 || values.some(isLabelValue);
  return (boundsIn(spec).lte ?? 0) >= 0;
};

/** A requirement without the values that no label may have, which no node has. */
const possibleParts = (spec: RequirementSpec): readonly RequirementSpec[] => {
  const { key, operator, values = [] } = spec;
  if (!canBeMet(spec)) return (['Exists', 'DoesNotExist'] as const).map((each): RequirementSpec => ({ key, operator: each }));
  if ((boundsIn(spec).gte ?? 0) < 0) return [{ ...spec, operator: 'Gte', values: ['0'] }];
  if (operator !== 'In' && operator !== 'NotIn') return [spec];
  const possible = values.filter(isLabelValue);
  if (possible.length === values.length) return [spec];
  return possible.length > 0 ? [{ ...spec, values: possible }] : [];
};

/** The same for what selects nodes in an object whose values nobody has checked, such as a pod or a volume. */
export const parseSelector = (specs: readonly RequirementSpec[], catalog: LabelCatalog, field: string): Requirements | FieldProblem =>
  parseRequirements(specs.flatMap(possibleParts), catalog, field);

/**
 * The requirements of a NodePool or NodeClaim that the API server has admitted; a malformed one is a bug and throws.
 * Specs of one key are ANDed. Former keys and values become those that `catalog` has for them. O(values), not
 * remembered.
 */
export const requirementsOf = (specs: readonly RequirementSpec[], catalog: LabelCatalog = defaultLabelCatalog): Requirements => {
  const parsed = parseRequirements(specs, catalog);
  if (isFieldProblem(parsed)) throw new Error(`${parsed.field} is ${parsed.value}: ${parsed.problem}`);
  return parsed;
};

/**
 * Requirements that allow exactly these labels: one value of each, which must be there. Other keys are unconstrained.
 */
export const labelRequirements = (labels: Labels, catalog: LabelCatalog = defaultLabelCatalog): Requirements =>
  requirementsOf(
    Object.entries(labels).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    catalog,
  );

/** Two requirements that no node satisfies at once. */
export interface Incompatibility {
  readonly key: string;
  readonly wanted: Requirement;
  /** Absent: the other side does not know the label, so the node will not have it. */
  readonly offered?: Requirement;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The first key, in the order of `incoming`, that both name and on which no node satisfies both; undefined when there
 * is none.
 */
export const firstConflict = (existing: Requirements, incoming: Requirements): Incompatibility | undefined => {
  for (const [key, wanted] of incoming) {
    const offered = existing.get(key);
    if (offered !== undefined && !intersects(offered, wanted)) return { key, wanted, offered };
  }
  return undefined;
};

/**
 * Why a node made by `existing` cannot satisfy `incoming`; undefined when it can. A label that `existing` does not name
 * will be missing, unless it is in `allowUndefined`. For machines that are still to be chosen, these are the well-known
 * labels.
 */
export const compatible = (
  existing: Requirements,
  incoming: Requirements,
  { allowUndefined = NONE }: { readonly allowUndefined?: ReadonlySet<string> } = {},
): Incompatibility | undefined => {
  for (const [key, wanted] of incoming) {
    const offered = existing.get(key);
    if (offered === undefined ? !wanted.mayBeAbsent && !allowUndefined.has(key) : !intersects(offered, wanted)) {
      return offered === undefined ? { key, wanted } : { key, wanted, offered };
    }
  }
  return undefined;
};

/** The first requirement that a node with exactly these labels does not satisfy. */
export const firstUnmet = (requirements: Requirements, labels: Labels): Requirement | undefined => {
  for (const requirement of requirements.values()) if (!admits(requirement, labelOf(labels, requirement.key))) return requirement;
  return undefined;
};

type Entry = Omit<RequirementSpec, 'key' | 'minValues'>;

const sorted = (values: ReadonlySet<string>): readonly string[] => [...values].sort(compareText);

const entriesOf = ({ values, mayBeAbsent }: Requirement): readonly Entry[] => {
  if (values.kind === 'in') {
    if (values.values.size > 0) return [{ operator: 'In', values: sorted(values.values) }];
    // A contradiction has no operator of its own; both halves of one keep it a contradiction.
    return mayBeAbsent ? [{ operator: 'DoesNotExist' }] : [{ operator: 'DoesNotExist' }, { operator: 'Exists' }];
  }
  const entries: Entry[] = [];
  if (values.values.size > 0) entries.push({ operator: 'NotIn', values: sorted(values.values) });
  if (values.gte !== undefined) entries.push({ operator: 'Gte', values: [String(values.gte)] });
  if (values.lte !== undefined) entries.push({ operator: 'Lte', values: [String(values.lte)] });
  const isBounded = values.gte !== undefined || values.lte !== undefined;
  if (!mayBeAbsent && !isBounded) entries.push({ operator: 'Exists' });
  return entries;
};

/** How many entries `requirementSpecs` returns. O(1). */
export const specCount = ({ values, mayBeAbsent }: Requirement): number => {
  if (values.kind === 'in') return values.values.size > 0 || mayBeAbsent ? 1 : 2;
  const bounds = Number(values.gte !== undefined) + Number(values.lte !== undefined);
  return Number(values.values.size > 0) + (bounds > 0 ? bounds : Number(!mayBeAbsent));
};

/** One requirement as NodeClaims write it: as many entries as it takes to say all of it; none when it asks for nothing. */
export const requirementSpecs = (requirement: Requirement): readonly RequirementSpec[] => {
  const { key, minValues } = requirement;
  return entriesOf(requirement).map((entry) => ({ key, ...entry, ...(minValues === undefined ? {} : { minValues }) }));
};

/**
 * The requirements as NodeClaims write them, by key, values in order: the same for the same requirements.
 * Differs: exclusions beside bounds survive; the original loses them.
 */
export const specsOf = (requirements: Requirements): readonly RequirementSpec[] =>
  [...requirements.values()].sort((a, b) => compareText(a.key, b.key)).flatMap(requirementSpecs);

const SHOWN = 5;

const listOf = (values: readonly string[]): string => {
  const rest = values.length - SHOWN;
  return `[${values.slice(0, SHOWN).join(', ')}${rest > 0 ? ` and ${rest} others` : ''}]`;
};

/** Bounds in words: whoever wrote `Gt 5` would not know it again as `Gte 6`. */
const bounds: Readonly<Record<string, string>> = { Gte: 'at least', Lte: 'at most' };

const partOf = ({ operator, values }: Pick<RequirementSpec, 'operator' | 'values'>): string => {
  if (values === undefined) return operator;
  const bound = bounds[operator];
  return bound === undefined ? `${operator} ${listOf(values)}` : `${bound} ${values.join()}`;
};

/** A requirement as people read it: `zone In [1, 2]`, `cpu at least 4 and at most 8`; at most five values of a list. */
export const describeRequirement = (requirement: Requirement): string => {
  const specs = requirementSpecs(requirement);
  return specs.length === 0 ? `${requirement.key} anything` : `${requirement.key} ${specs.map(partOf).join(' and ')}`;
};
