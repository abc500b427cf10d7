import { celBinary, celUnary, isCelBinary } from './cel-arithmetic.ts';
import { celFunctions } from './cel-functions.ts';
import type { CelWork } from './cel-strings.ts';
import type { CelNode } from './cel-syntax.ts';
import { CelError, CelOptional, celMapOf, isCelList, isCelMap, sortOf } from './cel-value.ts';
import type { CelList, CelValue } from './cel-value.ts';
import type { TextPatterns } from './text-patterns.ts';

/** A variable of an expression with what evaluates it, and the variables around it. */
export interface CelScope {
  readonly name: string;
  readonly read: () => CelValue;
  readonly outer?: CelScope;
}

type Call = Extract<CelNode, { readonly kind: 'call' }>;
type Select = Extract<CelNode, { readonly kind: 'select' }>;
type Macro = (evaluator: Evaluator, call: Call, scope: CelScope) => CelValue;

/**
 * How many steps one evaluation may take; strings and lists count by their length. Source: Kubernetes,
 * `CELSelectorExpressionMaxCost`.
 */
const MOST_COST = 1_000_000;
/** One step for each so many characters. */
const CHARACTERS_A_STEP = 10;

/** What it takes to make a list and a map. Source: cel-go. */
const LIST_COST = 10;
const MAP_COST = 30;

/** A failure takes as long as so many steps: it is thrown, and caught by what may be decided without it. */
export const FAILURE_COST = 80;

/** An evaluation that took too many steps. It ends all of it: nothing beside it decides. */
class CelCostError extends CelError {}

const hasLength = (value: CelValue): value is string | CelList => typeof value === 'string' || isCelList(value);

const weightOf = (value: CelValue): number => {
  if (!hasLength(value)) return 0;
  return typeof value === 'string' ? Math.ceil(value.length / CHARACTERS_A_STEP) : value.length;
};

const truth = (value: CelValue): boolean => {
  if (typeof value !== 'boolean') throw new CelError(`no such overload: a bool was expected instead of ${sortOf(value)}`);
  return value;
};

/** What a call costs by its values. Looking up costs nothing by the length, comparing as much as the shorter. */
const weightOfCall = (name: string, values: readonly CelValue[]): number => {
  if (name === '[]' || name === '[?]' || name === 'size' || (values.length > 0 && !values.some(hasLength))) return 0;
  const weights = values.map(weightOf);
  if (name.startsWith('sets.')) return weights.reduce((product, weight) => product * weight, 1);
  return isCelBinary(name) && name !== '+' ? Math.min(...weights) : weights.reduce((sum, weight) => sum + weight, 0);
};

interface ItemScope {
  readonly place: CelValue;
  readonly item: CelValue;
  readonly scope: CelScope;
}

/** The scope with one more variable. */
const scopeWith = (outer: CelScope, name: string, value: CelValue): CelScope => ({ name, read: () => value, outer });

const variableName = (node: CelNode): string => {
  if (node.kind !== 'name') throw new CelError('a macro needs the name of a variable');
  return node.name;
};

/** Place and item of a list, key and value of a map. */
const entriesOf = (of: CelValue): readonly (readonly [place: CelValue, value: CelValue])[] => {
  if (isCelList(of)) return of.map((item, index) => [BigInt(index), item] as const);
  if (isCelMap(of)) return [...of.keys()].map((key) => [key, of.get(key) ?? null] as const);
  throw new CelError(`no such overload: a macro over ${sortOf(of)}`);
};

/** Names of types, as `type()` answers them. */
const TYPES: ReadonlySet<string> = new Set(['bool', 'double', 'int', 'list', 'map', 'null_type', 'string']);

export class Evaluator {
  readonly #work: CelWork;
  readonly #most: number;
  #cost = 0;

  /** `left`: steps that it may take, if they are fewer than those of any evaluation. */
  constructor(patterns: TextPatterns, left: number) {
    this.#most = Math.min(MOST_COST, left);
    const pay = (steps: number): void => {
      this.#pay(steps);
    };
    this.#work = { pay, patterns };
  }

  /** How many steps were taken. */
  get cost(): number {
    return this.#cost;
  }

  /** Whether it ended before it took as many steps as any evaluation may. */
  get isCut(): boolean {
    return this.#cost > this.#most && this.#most < MOST_COST;
  }

  value(node: CelNode, scope: CelScope): CelValue {
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'name':
        this.#pay(1);
        return this.#variable(node.name, scope);
      case 'select':
        this.#pay(1);
        return this.#selected(node, scope);
      case 'list':
        this.#pay(LIST_COST);
        return node.constant ?? node.items.map((item) => this.value(item, scope));
      case 'map':
        this.#pay(MAP_COST);
        return celMapOf(node.entries.map(([key, value]) => [this.value(key, scope), this.value(value, scope)] as const));
      case 'call':
        return this.#called(node, scope);
    }
  }

  /** Whether one of the operands has the value that decides. An operand that fails counts only where no other decides. */
  isDecided<T>(operands: readonly T[], holds: (operand: T) => boolean, decisive: boolean): boolean {
    let failure: CelError | undefined;
    for (const operand of operands) {
      try {
        if (holds(operand) === decisive) return true;
      } catch (error) {
        if (!(error instanceof CelError) || error instanceof CelCostError) throw error;
        this.#pay(FAILURE_COST);
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    return false;
  }

  /**
   * The items of a list, or the keys of a map, each as a scope with the variables before the last `bodies` arguments:
   * item, or place and item.
   */
  scopes({ target, args }: Call, scope: CelScope, bodies: number): readonly ItemScope[] {
    const of = this.value(target ?? { kind: 'literal', value: null }, scope);
    const names = args.slice(0, args.length - bodies).map(variableName);
    const entries = entriesOf(of);
    this.#pay(entries.length);
    const [first = '', second] = names;
    const isOfMap = isCelMap(of);
    return entries.map(([place, value]) => {
      // One variable is an item of a list or a key of a map; of two the first is its place or key.
      const item = second !== undefined || isOfMap ? place : value;
      const one = scopeWith(scope, first, item);
      return { place, item, scope: second === undefined ? one : scopeWith(one, second, value) };
    });
  }

  holds(node: CelNode | undefined, scope: CelScope): boolean {
    return node !== undefined && truth(this.value(node, scope));
  }

  /** What is at a key of a map or a place of a list; undefined when there is nothing. */
  found(of: CelValue, key: CelValue): CelValue | undefined {
    if (of instanceof CelOptional) return of.value === undefined ? undefined : this.found(of.value, key);
    if (isCelList(of)) return typeof key === 'bigint' || Number.isInteger(key) ? of[Number(key)] : undefined;
    if (isCelMap(of)) return of.get(key);
    throw new CelError(`no such overload: ${sortOf(of)} has no fields`);
  }

  #pay(steps: number): void {
    this.#cost += steps;
    if (this.#cost > this.#most) throw new CelCostError('it takes too many steps');
  }

  #variable(name: string, scope: CelScope): CelValue {
    for (let each: CelScope | undefined = scope; each !== undefined; each = each.outer) if (each.name === name) return each.read();
    if (TYPES.has(name)) return name;
    throw new CelError(`undeclared reference to ${JSON.stringify(name)}`);
  }

  #selected({ of, field, isOptional }: Select, scope: CelScope): CelValue {
    const from = this.value(of, scope);
    return this.#foundOrFailed(from, field, isOptional);
  }

  #foundOrFailed(from: CelValue, key: CelValue, isOptional: boolean): CelValue {
    const found = this.found(from, key);
    if (isOptional || from instanceof CelOptional) return new CelOptional(found);
    if (found === undefined)
      throw new CelError(`no such key: ${typeof key === 'string' || typeof key === 'bigint' ? String(key) : sortOf(key)}`);
    return found;
  }

  #called(call: Call, scope: CelScope): CelValue {
    this.#pay(1);
    const macro = macros.get(call.name);
    if (macro !== undefined && (call.target !== undefined || FREE_MACROS.has(call.name))) return macro(this, call, scope);
    const { name, args } = qualified(call);
    const values: CelValue[] = [];
    for (const each of args) values.push(this.value(each, scope));
    this.#pay(weightOfCall(name, values));
    return this.#applied(name, values);
  }

  #applied(name: string, values: readonly CelValue[]): CelValue {
    const [first, second] = values;
    if ((name === '!a' || name === '-a') && first !== undefined) return celUnary(name, first);
    if (first !== undefined && second !== undefined) {
      if (isCelBinary(name)) return celBinary(name, first, second);
      if (name === '[]' || name === '[?]') return this.#foundOrFailed(first, second, name === '[?]');
    }
    const known = celFunctions.get(name);
    if (known === undefined) throw new CelError(`undeclared reference to ${JSON.stringify(name)}`);
    return known(values, this.#work);
  }
}

/** Names of functions that stand behind the name of their library. */
const LIBRARIES = new Set(['sets', 'optional']);

/** The function's full name, and its arguments with the target in front. */
const qualified = (call: Call): { readonly name: string; readonly args: readonly CelNode[] } => {
  const { name, target, args } = call;
  if (target === undefined) return call;
  return target.kind === 'name' && LIBRARIES.has(target.name)
    ? { name: `${target.name}.${name}`, args }
    : { name, args: [target, ...args] };
};

const has: Macro = (evaluator, { args: [of] }, scope) => {
  if (of?.kind !== 'select') throw new CelError('has() needs a field');
  return evaluator.found(evaluator.value(of.of, scope), of.field) !== undefined;
};

/** A scope with one more variable, which is evaluated when it is first read. */
const bound = (evaluator: Evaluator, scope: CelScope, [variable, node]: readonly [CelNode, CelNode]): CelScope => {
  let known: CelValue | undefined;
  return { name: variableName(variable), read: () => (known ??= evaluator.value(node, scope)), outer: scope };
};

const bind: Macro = (evaluator, { args: [variable, value, body] }, scope) => {
  if (variable === undefined || value === undefined || body === undefined) throw new CelError('bind() needs a name and a value');
  return evaluator.value(body, bound(evaluator, scope, [variable, value]));
};

/** Macros that may have a condition before what they make. */
const made = (evaluator: Evaluator, call: Call, scope: CelScope): readonly (readonly [place: CelValue, value: CelValue])[] => {
  const variables = call.name === 'map' ? 1 : 2;
  const [condition, body] = call.args.length > variables + 1 ? call.args.slice(variables) : [undefined, call.args[variables]];
  if (body === undefined) throw new CelError(`${call.name}() needs an expression`);
  return evaluator
    .scopes(call, scope, call.args.length - variables)
    .filter((each) => condition === undefined || evaluator.holds(condition, each.scope))
    .map((each) => [each.place, evaluator.value(body, each.scope)] as const);
};

const chosenItems = (evaluator: Evaluator, call: Call, scope: CelScope): readonly CelValue[] =>
  evaluator.scopes(call, scope, 1).flatMap((each) => (evaluator.holds(call.args.at(-1), each.scope) ? [each.item] : []));

/** `exists` where one item decides, `all` where one that does not hold does. */
const quantified =
  (decisive: boolean): Macro =>
  (evaluator, call, scope) => {
    const body = call.args.at(-1);
    return evaluator.isDecided(evaluator.scopes(call, scope, 1), (each) => evaluator.holds(body, each.scope), decisive) === decisive;
  };

const either =
  (decisive: boolean): Macro =>
  (evaluator, { args }, scope) =>
    evaluator.isDecided(args, (each) => evaluator.holds(each, scope), decisive) === decisive;

/** What becomes of an optional's value, and whether it is an optional already. */
const optionalMacro =
  (isFlat: boolean): Macro =>
  (evaluator, { target, args: [variable, body] }, scope) => {
    const of = target === undefined ? null : evaluator.value(target, scope);
    if (!(of instanceof CelOptional)) throw new CelError(`no such overload: an optional was expected instead of ${sortOf(of)}`);
    if (of.value === undefined || variable === undefined || body === undefined) return new CelOptional(undefined);
    const { value } = of;
    const result = evaluator.value(body, scopeWith(scope, variableName(variable), value));
    return isFlat ? result : new CelOptional(result);
  };

const chosen: Macro = (evaluator, { args: [condition, yes, no] }, scope) => {
  const branch = evaluator.holds(condition, scope) ? yes : no;
  if (branch === undefined) throw new CelError('a branch is missing');
  return evaluator.value(branch, scope);
};

/** Calls that do not evaluate all their arguments first. */
const macros: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['&&', either(false)],
  ['||', either(true)],
  ['?:', chosen],
  ['has', has],
  ['bind', bind],
  ['all', quantified(false)],
  ['exists', quantified(true)],
  ['exists_one', (...asked) => chosenItems(...asked).length === 1],
  ['existsOne', (...asked) => chosenItems(...asked).length === 1],
  ['filter', chosenItems],
  ['map', (...asked) => made(...asked).map(([, value]) => value)],
  ['transformList', (...asked) => made(...asked).map(([, value]) => value)],
  ['transformMap', (...asked) => celMapOf(made(...asked))],
  ['optMap', optionalMacro(false)],
  ['optFlatMap', optionalMacro(true)],
]);

/** Macros that are so without a target as well. */
const FREE_MACROS: ReadonlySet<string> = new Set(['&&', '||', '?:', 'has']);
