import { getOrMake, memoByObject } from '../../../base/index.ts';
import type { DeviceAttribute } from '../../../kube/index.ts';
import type { TooComplex } from '../../rejection/rejection.ts';
import { Evaluator, FAILURE_COST } from './cel-evaluator.ts';
import { parseCel } from './cel-syntax.ts';
import type { CelNode } from './cel-syntax.ts';
import { CelError, celMapOf, CelQuantity, parseSemver } from './cel-value.ts';
import type { CelMap, CelValue } from './cel-value.ts';
import { TextPatterns } from './text-patterns.ts';

/** What a selector reads of a device. */
export interface SelectedDevice {
  readonly driver: string;
  readonly attributes: ReadonlyMap<string, DeviceAttribute>;
  /** Qualified name → nanos. */
  readonly capacity: ReadonlyMap<string, bigint>;
  readonly allowsMultiple: boolean;
  /** Devices with equal likeness differ in name only: a selector selects all of them or none. */
  readonly likeness: string;
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

/** What one evaluation takes besides its own steps. */
const STEPS_AN_EVALUATION = 20;
/** Steps that the selectors of one pod may take: about a quarter of a second. */
const MOST_STEPS_A_POD = 1_250_000;
/** After so many steps of one namespace its other pods may take only few, and after twice as many none. */
const MOST_STEPS_A_NAMESPACE = 2_500_000;
const FEW_STEPS = 2_000;
/** After so many steps of all namespaces each may take only so many. */
const MOST_STEPS_TOGETHER = 20_000_000;
const MOST_STEPS_A_NAMESPACE_THEN = 100_000;
/** So many steps take as long as a unit of `TooComplex`. */
const STEPS_A_UNIT = 12;

/** How many steps were taken of the selectors of some pods. */
interface TakenSteps {
  steps: number;
}

/** Whose steps count besides those of equal pods. */
interface SharedSteps {
  readonly ofNamespace: TakenSteps;
  readonly together: TakenSteps;
}

/** How many steps a pod may take that needs some after those of others. */
const mostForPod = ({ ofNamespace, together }: SharedSteps): number => {
  const most = together.steps > MOST_STEPS_TOGETHER ? MOST_STEPS_A_NAMESPACE_THEN : MOST_STEPS_A_NAMESPACE;
  if (ofNamespace.steps > 2 * most) return 0;
  return ofNamespace.steps > most ? FEW_STEPS : MOST_STEPS_A_POD;
};

/**
 * What the selectors of equal pods have taken of a budget. An evaluation counts once, for the pod that is the first to
 * need it.
 */
export class SelectorWork {
  #most = MOST_STEPS_A_POD;
  #steps = 0;
  /** Whether the selectors were evaluated for the devices of all types. */
  isJudged = false;
  readonly #shared: SharedSteps;

  constructor(shared: SharedSteps) {
    this.#shared = shared;
  }

  get steps(): number {
    return this.#steps;
  }

  /** How many steps may still be taken. Called only where some are needed: pods that need no more stay as they are. */
  stepsLeft(): number {
    this.#most = Math.min(this.#most, mostForPod(this.#shared));
    return Math.max(0, this.#most - this.#steps);
  }

  take(steps: number): void {
    this.#steps += steps;
    this.#shared.ofNamespace.steps += steps;
    this.#shared.together.steps += steps;
  }

  /** Why no more of its selectors are evaluated. */
  get refusal(): TooComplex | undefined {
    if (this.#steps < this.#most) return undefined;
    const [units, most] = [Math.ceil(this.#steps / STEPS_A_UNIT), Math.floor(this.#most / STEPS_A_UNIT)];
    const after = this.#most < MOST_STEPS_A_POD ? ', after those of other pods of its namespace,' : '';
    return { kind: 'too-complex', units, most, largest: `selectors of devices${after}` };
  }
}

/** How much the selectors of the pods of a snapshot may take, so that no claim keeps other pods from being planned. */
export class SelectorBudget {
  readonly #works = new Map<string, Map<string, SelectorWork>>();
  readonly #namespaces = new Map<string, TakenSteps>();
  readonly #together: TakenSteps = { steps: 0 };
  #current: SelectorWork | undefined;

  /** What pods of the namespace with the text have taken. */
  workOf(namespace: string, text: string): SelectorWork {
    const ofNamespace = getOrMake(this.#namespaces, namespace, () => ({ steps: 0 }));
    const works = getOrMake(this.#works, namespace, () => new Map<string, SelectorWork>());
    return getOrMake(works, text, () => new SelectorWork({ ofNamespace, together: this.#together }));
  }

  /** Counts the evaluations that follow for these pods. */
  countFor(work: SelectorWork): void {
    this.#current = work;
  }

  /** How many steps these pods may still take. */
  stepsLeft(): number {
    return this.#current?.stepsLeft() ?? Number.POSITIVE_INFINITY;
  }

  take(steps: number): void {
    this.#current?.take(steps);
  }

  takeEvaluation(steps: number): void {
    this.take(steps + STEPS_AN_EVALUATION);
  }
}

/** Steps to parse a character. */
const STEPS_A_CHARACTER = 2;

/** A selector that is ready to evaluate. It caches its result for each likeness of devices. */
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
  const known = new Map<string, boolean | SelectorProblem>();
  const answerOf = (evaluator: Evaluator, node: CelNode, device: SelectedDevice): boolean | SelectorProblem => {
    try {
      const value = evaluator.value(node, { name: 'device', read: () => environmentOf(device) });
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
    budget.takeEvaluation(evaluator.cost + (isSelectorProblem(answer) ? FAILURE_COST : 0));
    // Another pod may have the steps that these pods lack.
    if (!evaluator.isCut) known.set(device.likeness, answer);
    return answer;
  };
  return {
    expression,
    selects: (device) => known.get(device.likeness) ?? (budget.stepsLeft() > 0 ? evaluate(device) : tooManySteps),
  };
};
