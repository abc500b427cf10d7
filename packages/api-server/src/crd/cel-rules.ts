import { isObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { memberSchema, type Schema, type ValidationRule } from '../schema/schema.ts';
import type { FieldError } from '../status/field-error.ts';
import { itemElement } from '../apply/field-paths.ts';
import { celErrorText, type CelPrograms, celValue, type CelVariables, createCelPrograms } from './cel-programs.ts';

/**
 * Checks the CEL rules of a schema and all below it. `old` is the value before an update; transition rules run only
 * with one.
 */
export type RuleChecker = (value: JsonValue, schema: Schema, old: JsonValue | undefined) => readonly FieldError[];

/** A checker that compiles each rule once. */
export const createRuleChecker = (): RuleChecker => {
  const programs = createCelPrograms();
  return (value, schema, old) => {
    const errors: FieldError[] = [];
    check({ value, schema, old, path: '' }, (node, rule) => {
      const error = evaluate(programs, node, rule);
      if (error !== undefined) errors.push(error);
    });
    return errors;
  };
};

interface Node {
  readonly value: JsonValue;
  readonly schema: Schema;
  readonly old: JsonValue | undefined;
  readonly path: string;
}

const check = (node: Node, visit: (node: Node, rule: ValidationRule) => void): void => {
  for (const rule of node.schema['x-kubernetes-validations'] ?? []) visit(node, rule);
  const { value } = node;
  if (isObject(value)) checkMembers(node, value, visit);
  else if (Array.isArray(value)) checkItems(node, value, visit);
};

const checkMembers = ({ schema, old, path }: Node, members: JsonObject, visit: (node: Node, rule: ValidationRule) => void): void => {
  for (const [name, member] of Object.entries(members)) {
    const declared = memberSchema(schema, name);
    if (declared === undefined || member === undefined || member === null) continue;
    const at = schema.properties?.[name] === undefined ? `${path}[${name}]` : `${path}.${name}`;
    check({ value: member, schema: declared, old: isObject(old) ? old[name] : undefined, path: at.replace(/^\./, '') }, visit);
  }
};

const checkItems = ({ schema, old, path }: Node, items: readonly JsonValue[], visit: (node: Node, rule: ValidationRule) => void): void => {
  const itemSchema = schema.items;
  if (itemSchema === undefined) return;
  const correlated = schema['x-kubernetes-list-type'] === 'map' && Array.isArray(old);
  const before = correlated ? new Map(old.map((item) => [itemElement(item, schema), item])) : new Map<string, JsonValue>();
  items.forEach((item, index) => {
    check({ value: item, schema: itemSchema, old: before.get(itemElement(item, schema)), path: `${path}[${index}]` }, visit);
  });
};

const REASONS: Readonly<Record<string, FieldError['reason']>> = {
  FieldValueRequired: 'FieldValueRequired',
  FieldValueForbidden: 'FieldValueForbidden',
  FieldValueDuplicate: 'FieldValueDuplicate',
};

const evaluate = (programs: CelPrograms, node: Node, rule: ValidationRule): FieldError | undefined => {
  const isTransition = /\boldSelf\b/.test(rule.rule);
  if (isTransition && node.old === undefined && rule.optionalOldSelf !== true) return undefined;
  const variables = variablesOf(node, isTransition);
  const outcome = run(() => programs.evaluate(rule.rule, variables));
  if (outcome.ok && outcome.value === true) return undefined;
  if (outcome.ok) return ruleError(node, rule, { detail: messageOf(programs, rule, variables), value: scalarOf(node.value) });
  const detail = `${outcome.message} evaluating rule: ${rule.message ?? rule.rule.trim()}`;
  return ruleError(node, { rule: rule.rule }, { detail, value: node.schema.type ?? 'object' });
};

const variablesOf = ({ value, schema, old }: Node, isTransition: boolean): CelVariables => ({
  self: celValue(value, schema),
  ...(isTransition && old !== undefined ? { oldSelf: celValue(old, schema) } : {}),
});

/** Lists and objects are not shown. */
const scalarOf = (value: JsonValue): JsonValue | undefined => (typeof value === 'object' ? undefined : value);

const ruleError = (
  node: Node,
  rule: ValidationRule,
  { detail, value }: { readonly detail: string; readonly value: JsonValue | undefined },
): FieldError => {
  const reason = REASONS[rule.reason ?? ''] ?? 'FieldValueInvalid';
  const field = `${node.path}${rule.fieldPath ?? ''}`.replace(/^\./, '');
  const silent = reason === 'FieldValueRequired' || reason === 'FieldValueForbidden';
  return { reason, field, detail, ...(silent ? {} : { value }) };
};

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

const run = (evaluateRule: () => unknown): Outcome => {
  try {
    return { ok: true, value: evaluateRule() };
  } catch (error) {
    return { ok: false, message: celErrorText(error) };
  }
};

const messageOf = (programs: CelPrograms, rule: ValidationRule, variables: CelVariables): string => {
  const { messageExpression } = rule;
  if (messageExpression !== undefined) {
    const outcome = run(() => programs.evaluate(messageExpression, variables));
    if (outcome.ok && typeof outcome.value === 'string' && outcome.value.trim() !== '') return outcome.value;
  }
  return rule.message ?? `failed rule: ${rule.rule.trim()}`;
};
