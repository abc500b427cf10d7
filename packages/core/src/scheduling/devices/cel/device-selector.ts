import { memoByObject } from '../../../base/index.ts';
import type { DeviceAttribute } from '../../../kube/index.ts';
import { Evaluator } from './cel-evaluator.ts';
import { parseCel } from './cel-syntax.ts';
import type { CelNode } from './cel-syntax.ts';
import { CelError, celMapOf, CelQuantity, parseSemver } from './cel-value.ts';
import type { CelMap, CelValue } from './cel-value.ts';
import { SelectorBudget } from './selector-budget.ts';
import { TextPatterns } from './text-patterns.ts';

/** What a selector reads of a device. */
export interface SelectedDevice {
  readonly driver: string;
  readonly attributes: ReadonlyMap<string, DeviceAttribute>;
  /** Qualified name → nanos. */
  readonly capacity: ReadonlyMap<string, bigint>;
  readonly allowsMultiple: boolean;
}

/** Why a selector says neither yes nor no. */
export interface SelectorProblem {
  readonly expression: string;
  readonly problem: string;
}

/** Source: Kubernetes, `CELSelectorExpressionMaxLength`. */
const LONGEST = 10 * 1024;

const attributeValue = (attribute: DeviceAttribute): CelValue => {
  if (attribute.int !== undefined) return BigInt(attribute.int);
  if (attribute.version !== undefined) return parseSemver(attribute.version) ?? attribute.version;
  return attribute.bool ?? attribute.string ?? null;
};

const NOTHING = celMapOf([]);

/** Domain → name → value. A domain that the device has nothing of is an empty map. */
const byDomain = (driver: string, entries: Iterable<readonly [name: string, value: CelValue]>): CelMap => {
  const domains = new Map<string, [CelValue, CelValue][]>();
  for (const [qualified, value] of entries) {
    const slash = qualified.indexOf('/');
    const domain = slash < 0 ? driver : qualified.slice(0, slash);
    domains.set(domain, [...(domains.get(domain) ?? []), [qualified.slice(slash + 1), value]]);
  }
  const maps = new Map([...domains].map(([domain, own]) => [domain, celMapOf(own)]));
  return {
    get: (key) => (typeof key === 'string' ? (maps.get(key) ?? NOTHING) : undefined),
    has: (key) => typeof key === 'string' && maps.has(key),
    keys: () => maps.keys(),
    size: maps.size,
  };
};

/** The variable `device` of a selector. Source: Kubernetes, `DeviceSelector.cel` of `resource.k8s.io/v1`. */
const environmentOf = memoByObject(({ driver, attributes, capacity, allowsMultiple }: SelectedDevice): CelMap =>
  celMapOf([
    ['driver', driver],
    [
      'attributes',
      byDomain(
        driver,
        [...attributes].map(([name, attribute]) => [name, attributeValue(attribute)] as const),
      ),
    ],
    [
      'capacity',
      byDomain(
        driver,
        [...capacity].map(([name, nanos]) => [name, new CelQuantity(nanos)] as const),
      ),
    ],
    ['allowMultipleAllocations', allowsMultiple],
  ]),
);

const problemOf = (expression: string, failure: unknown): SelectorProblem => {
  if (!(failure instanceof CelError)) throw failure;
  return { expression, problem: failure.message };
};

export const isSelectorProblem = (value: boolean | SelectorProblem): value is SelectorProblem => typeof value !== 'boolean';

const parsed = (expression: string): CelNode | SelectorProblem => {
  if (expression.length > LONGEST) return { expression: `${expression.slice(0, 60)}…`, problem: `it is longer than ${LONGEST} characters` };
  try {
    return parseCel(expression);
  } catch (failure) {
    return problemOf(expression, failure);
  }
};

/** Steps to parse a character. */
const STEPS_A_CHARACTER = 2;

/** A selector that is ready to evaluate. It caches its result for each device. */
export interface CompiledSelector {
  readonly expression: string;
  /** Whether it selects the device, or why the expression fails. */
  readonly selects: (device: SelectedDevice) => boolean | SelectorProblem;
}

/**
 * Compiles a CEL selector, when it is first evaluated. An expression that does not parse returns its problem for every
 * device.
 */
export const compileSelector = (expression: string, budget = new SelectorBudget()): CompiledSelector => {
  let compiled: CelNode | SelectorProblem | undefined;
  const tooManySteps: SelectorProblem = { expression, problem: 'the selectors of its claims take too many steps' };
  const compile = (): CelNode | SelectorProblem => {
    budget.take(expression.length * STEPS_A_CHARACTER);
    if (budget.stepsLeft() <= 0) return tooManySteps;
    return (compiled = parsed(expression));
  };
  const patterns = new TextPatterns();
  const known = new WeakMap<SelectedDevice, boolean | SelectorProblem>();
  const answerOf = (evaluator: Evaluator, node: CelNode, device: SelectedDevice): boolean | SelectorProblem => {
    try {
      const value = evaluator.value(node, new Map([['device', () => environmentOf(device)]]));
      return typeof value === 'boolean' ? value : { expression, problem: 'it is neither true nor false' };
    } catch (failure) {
      return problemOf(expression, failure);
    }
  };
  const evaluate = (device: SelectedDevice): boolean | SelectorProblem => {
    const node = compiled ?? compile();
    if ('problem' in node) return node;
    const evaluator = new Evaluator(patterns, budget.stepsLeft());
    const answer = answerOf(evaluator, node, device);
    budget.takeEvaluation(evaluator.cost);
    // Another pod may have the steps that these pods lack.
    if (!evaluator.isCut) known.set(device, answer);
    return answer;
  };
  return {
    expression,
    selects: (device) => known.get(device) ?? (budget.stepsLeft() > 0 ? evaluate(device) : tooManySteps),
  };
};
