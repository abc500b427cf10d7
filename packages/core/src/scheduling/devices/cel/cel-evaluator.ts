import { celBinary, celUnary, isCelBinary } from './cel-arithmetic.ts';
import { CelError } from './cel-error.ts';
import { celFunctions } from './cel-functions.ts';
import type { CelNode } from './cel-syntax.ts';
import { CelOptional, celMapOf, isCelList, isCelMap, sortOf } from './cel-value.ts';
import type { CelValue } from './cel-value.ts';

/** The variables of an expression. */
export type CelScope = ReadonlyMap<string, CelValue>;

type Call = Extract<CelNode, { readonly kind: 'call' }>;
type Select = Extract<CelNode, { readonly kind: 'select' }>;
type Macro = (evaluator: Evaluator, call: Call, scope: CelScope) => CelValue;

/** How many steps one evaluation may take; strings and lists count by their length. Source: Kubernetes, `CELSelectorExpressionMaxCost`. */
const MOST_COST = 1_000_000;
/** One step for each so many characters. */
const CHARACTERS_A_STEP = 10;

const weightOf = (value: CelValue): number => {
  if (typeof value === 'string') return Math.ceil(value.length / CHARACTERS_A_STEP);
  return isCelList(value) ? value.length : 1;
};

const truth = (value: CelValue): boolean => {
  if (typeof value !== 'boolean') throw new CelError(`no such overload: a bool was expected instead of ${sortOf(value)}`);
  return value;
};

class Evaluator {
  #cost = 0;

  value(node: CelNode, scope: CelScope): CelValue {
    this.#pay(1);
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'name':
        return this.#variable(node.name, scope);
      case 'select':
        return this.#selected(node, scope);
      case 'list':
        return node.items.map((item) => this.value(item, scope));
      case 'map':
        return celMapOf(node.entries.map(([key, value]) => [this.value(key, scope), this.value(value, scope)] as const));
      case 'call':
        return this.#called(node, scope);
    }
  }

  /** The left side decides where it can; where one side fails, the other may still decide. */
  either({ args }: Call, scope: CelScope, decisive: boolean): boolean {
    const [left, right] = args;
    if (left === undefined || right === undefined) throw new CelError('an operand is missing');
    let first: boolean;
    try {
      first = truth(this.value(left, scope));
    } catch (failure) {
      if (failure instanceof CelError && truth(this.value(right, scope)) === decisive) return decisive;
      throw failure;
    }
    return first === decisive ? decisive : truth(this.value(right, scope));
  }

  /** The items of a list, or the keys of a map, each as a scope with the variable. */
  scopes({ target, args: [variable] }: Call, scope: CelScope): readonly (readonly [item: CelValue, scope: CelScope])[] {
    const of = this.value(target ?? { kind: 'literal', value: null }, scope);
    if (variable?.kind !== 'name') throw new CelError('a macro needs the name of a variable');
    const items = isCelList(of) ? of : isCelMap(of) ? [...of.keys()] : undefined;
    if (items === undefined) throw new CelError(`no such overload: a macro over ${sortOf(of)}`);
    this.#pay(items.length);
    return items.map((item) => [item, new Map([...scope, [variable.name, item]])] as const);
  }

  holds(node: CelNode | undefined, scope: CelScope): boolean {
    return node !== undefined && truth(this.value(node, scope));
  }

  /** What is at a key of a map or a place of a list; undefined when there is nothing. */
  found(of: CelValue, key: CelValue): CelValue | undefined {
    if (of instanceof CelOptional) return of.value === undefined ? undefined : this.found(of.value, key);
    if (isCelList(of)) return typeof key === 'bigint' ? of[Number(key)] : undefined;
    if (isCelMap(of)) return of.get(key);
    throw new CelError(`no such overload: ${sortOf(of)} has no fields`);
  }

  #pay(steps: number): void {
    this.#cost += steps;
    if (this.#cost > MOST_COST) throw new CelError('it takes too many steps');
  }

  #variable(name: string, scope: CelScope): CelValue {
    const value = scope.get(name);
    if (value === undefined) throw new CelError(`undeclared reference to ${JSON.stringify(name)}`);
    return value;
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
    const macro = macros.get(call.name);
    if (macro !== undefined && (call.target !== undefined || !methods.has(call.name))) return macro(this, call, scope);
    const { name, args } = qualified(call);
    const values = args.map((each) => this.value(each, scope));
    this.#pay(values.reduce<number>((sum, value) => sum + weightOf(value), 0));
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
    return known(values);
  }
}

/** Names of functions that stand behind the name of their library. */
const LIBRARIES = new Set(['sets', 'optional']);

/** The function's full name, and its arguments with the target in front. */
const qualified = ({ name, target, args }: Call): { readonly name: string; readonly args: readonly CelNode[] } => {
  if (target?.kind === 'name' && LIBRARIES.has(target.name)) return { name: `${target.name}.${name}`, args };
  return { name, args: target === undefined ? args : [target, ...args] };
};

const has: Macro = (evaluator, { args: [of] }, scope) => {
  if (of?.kind !== 'select') throw new CelError('has() needs a field');
  return evaluator.found(evaluator.value(of.of, scope), of.field) !== undefined;
};

const bind: Macro = (evaluator, { args: [variable, value, body] }, scope) => {
  if (variable?.kind !== 'name' || value === undefined || body === undefined) throw new CelError('bind() needs a name and a value');
  return evaluator.value(body, new Map([...scope, [variable.name, evaluator.value(value, scope)]]));
};

const mapped: Macro = (evaluator, call, scope) => {
  const [, first, second] = call.args;
  const body = second ?? first;
  if (body === undefined) throw new CelError('map() needs an expression');
  return evaluator
    .scopes(call, scope)
    .filter(([, inner]) => second === undefined || evaluator.holds(first, inner))
    .map(([, inner]) => evaluator.value(body, inner));
};

const count = (evaluator: Evaluator, call: Call, scope: CelScope): number =>
  evaluator.scopes(call, scope).filter(([, inner]) => evaluator.holds(call.args[1], inner)).length;

const chosen: Macro = (evaluator, { args: [condition, yes, no] }, scope) => {
  const branch = evaluator.holds(condition, scope) ? yes : no;
  if (branch === undefined) throw new CelError('a branch is missing');
  return evaluator.value(branch, scope);
};

/** Macros that are only macros behind a target. */
const methods: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map', 'bind']);

/** Calls that do not evaluate all their arguments first. */
const macros: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['&&', (evaluator, call, scope) => evaluator.either(call, scope, false)],
  ['||', (evaluator, call, scope) => evaluator.either(call, scope, true)],
  ['?:', chosen],
  ['has', has],
  ['bind', bind],
  ['all', (evaluator, call, scope) => evaluator.scopes(call, scope).every(([, inner]) => evaluator.holds(call.args[1], inner))],
  ['exists', (evaluator, call, scope) => evaluator.scopes(call, scope).some(([, inner]) => evaluator.holds(call.args[1], inner))],
  ['exists_one', (evaluator, call, scope) => count(evaluator, call, scope) === 1],
  [
    'filter',
    (evaluator, call, scope) =>
      evaluator.scopes(call, scope).flatMap(([item, inner]) => (evaluator.holds(call.args[1], inner) ? [item] : [])),
  ],
  ['map', mapped],
]);

/** The value of an expression. Throws a `CelError` where it has none, or takes too many steps. */
export const evaluateCel = (node: CelNode, scope: CelScope): CelValue => new Evaluator().value(node, scope);
