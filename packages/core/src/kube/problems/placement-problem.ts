import { type FieldProblem, INT32 } from '../../base/index.ts';
import type { Toleration } from '../node.ts';
import type { Affinity, NodeAffinity, PodAffinity, PodAffinityTerm, TopologySpreadConstraint } from '../pods/pod.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../selectors.ts';

/** The first thing that is wrong, in the order in which the checks stand; the checks after it are not asked. */
export const firstProblem = (checks: Iterable<() => FieldProblem | undefined>): FieldProblem | undefined => {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/** An unknown value, or a missing one. */
const requiredChoiceProblem = (field: string, value: string | undefined, choices: readonly string[]): FieldProblem | undefined =>
  value !== undefined && choices.includes(value)
    ? undefined
    : { field, value: value ?? 'undefined', problem: `must be one of ${choices.join(', ')}` };

/** An unknown value. A missing one is no problem: it has a default. */
const choiceProblem = (field: string, value: string | undefined, choices: readonly string[]): FieldProblem | undefined =>
  value === undefined ? undefined : requiredChoiceProblem(field, value, choices);

const SELECTOR_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

const valuesProblem = (field: string, { operator, values = [] }: LabelSelectorRequirement): FieldProblem | undefined => {
  const needsValues = operator === 'In' || operator === 'NotIn';
  if (needsValues === values.length > 0) return undefined;
  const value = `[${values.join(', ')}]`;
  return { field: `${field}.values`, value, problem: needsValues ? `${operator} takes at least one value` : `${operator} takes no values` };
};

/**
 * What is wrong with a label selector. A missing one is no problem: it selects nothing. Source: apimachinery,
 * `LabelSelectorAsSelector`.
 */
export const labelSelectorProblem = (field: string, { matchExpressions = [] }: LabelSelector = {}): FieldProblem | undefined =>
  firstProblem(
    matchExpressions.flatMap((expression, i) => {
      const at = `${field}.matchExpressions[${i}]`;
      return [() => requiredChoiceProblem(`${at}.operator`, expression.operator, SELECTOR_OPERATORS), () => valuesProblem(at, expression)];
    }),
  );

type Check = () => FieldProblem | undefined;

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

const weightProblem = (field: string, weight: number): FieldProblem | undefined =>
  Number.isInteger(weight) && weight >= 1 && weight <= 100
    ? undefined
    : { field: `${field}.weight`, value: String(weight), problem: 'must be a whole number from 1 to 100' };

const hasNone = (list: readonly unknown[] | undefined): boolean => list === undefined || list.length === 0;

const missingProblem = (field: string, value: unknown): FieldProblem | undefined =>
  value === undefined ? { field, value: 'undefined', problem: 'must be there' } : undefined;

const termChecks = (field: string, term: PodAffinityTerm): readonly Check[] => [
  () =>
    term.topologyKey
      ? undefined
      : { field: `${field}.topologyKey`, value: '', problem: 'must name a node label, such as kubernetes.io/hostname' },
  () => labelSelectorProblem(`${field}.labelSelector`, term.labelSelector),
  () => labelSelectorProblem(`${field}.namespaceSelector`, term.namespaceSelector),
];

const podAffinityChecks = (field: string, side: PodAffinity = {}): readonly Check[] => [
  ...(side[REQUIRED] ?? []).flatMap((term, i) => termChecks(`${field}.${REQUIRED}[${i}]`, term)),
  ...(side[PREFERRED] ?? []).flatMap(({ weight, podAffinityTerm }, i) => {
    const at = `${field}.${PREFERRED}[${i}]`;
    const missing = missingProblem(`${at}.podAffinityTerm`, podAffinityTerm);
    return [() => weightProblem(at, weight) ?? missing, ...(missing ? [] : termChecks(`${at}.podAffinityTerm`, podAffinityTerm))];
  }),
];

/** Terms themselves are judged where they are read into requirements. */
const nodeAffinityChecks = (field: string, side: NodeAffinity = {}): readonly Check[] => [
  () =>
    side[REQUIRED] !== undefined && hasNone(side[REQUIRED].nodeSelectorTerms)
      ? {
          field: `${field}.${REQUIRED}.nodeSelectorTerms`,
          value: '[]',
          problem: 'must hold at least one term; without one no node will do',
        }
      : undefined,
  ...(side[PREFERRED] ?? []).map(
    ({ weight, preference }, i) =>
      () =>
        weightProblem(`${field}.${PREFERRED}[${i}]`, weight) ?? missingProblem(`${field}.${PREFERRED}[${i}].preference`, preference),
  ),
];

/**
 * What is wrong with the affinity of a pod, the operators of node affinity excepted. Source: Kubernetes,
 * `validation.validateAffinity`.
 */
export const affinityProblem = (field: string, { nodeAffinity, podAffinity, podAntiAffinity }: Affinity = {}): FieldProblem | undefined =>
  firstProblem([
    ...nodeAffinityChecks(`${field}.nodeAffinity`, nodeAffinity),
    ...podAffinityChecks(`${field}.podAffinity`, podAffinity),
    ...podAffinityChecks(`${field}.podAntiAffinity`, podAntiAffinity),
  ]);

const WHEN = ['DoNotSchedule', 'ScheduleAnyway'];
const POLICIES = ['Honor', 'Ignore'];

const countProblem = (field: string, count: number): FieldProblem | undefined => {
  if (!Number.isInteger(count) || count < 1) return { field, value: String(count), problem: 'must be a whole number from 1 on' };
  return count > INT32.max ? { field, value: String(count), problem: `must be at most ${INT32.max}` } : undefined;
};

const minDomainsProblem = (field: string, { minDomains, whenUnsatisfiable }: TopologySpreadConstraint): FieldProblem | undefined => {
  if (minDomains === undefined) return undefined;
  const at = `${field}.minDomains`;
  if (whenUnsatisfiable !== 'DoNotSchedule')
    return { field: at, value: String(minDomains), problem: 'goes only with whenUnsatisfiable DoNotSchedule' };
  return countProblem(at, minDomains);
};

/** What is wrong with a spread constraint. Source: Kubernetes, `validation.validateTopologySpreadConstraints`. */
export const spreadProblem = (field: string, constraint: TopologySpreadConstraint): FieldProblem | undefined =>
  firstProblem([
    () => countProblem(`${field}.maxSkew`, constraint.maxSkew),
    () =>
      constraint.topologyKey
        ? undefined
        : { field: `${field}.topologyKey`, value: '', problem: 'must name a node label, such as topology.kubernetes.io/zone' },
    () => requiredChoiceProblem(`${field}.whenUnsatisfiable`, constraint.whenUnsatisfiable, WHEN),
    () => minDomainsProblem(field, constraint),
    () => choiceProblem(`${field}.nodeAffinityPolicy`, constraint.nodeAffinityPolicy, POLICIES),
    () => choiceProblem(`${field}.nodeTaintsPolicy`, constraint.nodeTaintsPolicy, POLICIES),
    () => labelSelectorProblem(`${field}.labelSelector`, constraint.labelSelector),
  ]);

const TOLERATION_OPERATORS = ['Exists', 'Equal', 'Gt', 'Lt'];
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute', ''];
const INTEGER = /^-?\d+$/;

const valueProblem = (field: string, { operator = 'Equal', value = '' }: Toleration): FieldProblem | undefined => {
  const at = { field: `${field}.value`, value };
  if (operator === 'Exists' && value !== '') return { ...at, problem: 'must be empty beside the operator Exists, which bears any value' };
  const compares = operator === 'Gt' || operator === 'Lt';
  return compares && !INTEGER.test(value) ? { ...at, problem: `must be an integer beside the operator ${operator}` } : undefined;
};

const keyProblem = (field: string, { key = '', operator = 'Equal' }: Toleration): FieldProblem | undefined =>
  key === '' && operator !== 'Exists'
    ? { field: `${field}.key`, value: key, problem: `must name a taint beside the operator ${operator}; only Exists may go without a key` }
    : undefined;

/** What is wrong with a toleration. Source: Kubernetes, `validation.ValidateTolerations`. */
export const tolerationProblem = (field: string, toleration: Toleration): FieldProblem | undefined =>
  firstProblem([
    () => choiceProblem(`${field}.operator`, toleration.operator, TOLERATION_OPERATORS),
    () => choiceProblem(`${field}.effect`, toleration.effect, EFFECTS),
    () => keyProblem(field, toleration),
    () => valueProblem(field, toleration),
  ]);
