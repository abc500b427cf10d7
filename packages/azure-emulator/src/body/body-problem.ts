import { isJsonObject } from '@karpenter/runtime';
import type { Field, BodyShape } from './shape.ts';

/** Why a body does not have its shape; `path` is dotted, as `properties.osProfile.computerName`. */
export type BodyProblem =
  | { readonly kind: 'unknown-member'; readonly path: string; readonly member: string; readonly type: string }
  | { readonly kind: 'read-only'; readonly path: string; readonly member: string }
  | { readonly kind: 'missing'; readonly path: string; readonly member: string }
  | { readonly kind: 'wrong-type'; readonly path: string; readonly expected: string; readonly actual: string }
  | { readonly kind: 'not-allowed'; readonly path: string; readonly value: string; readonly allowed: string };

type ShapeOf<Kind extends BodyShape['kind']> = Extract<BodyShape, { kind: Kind }>;

const join = (path: string, member: string): string => (path === '' ? member : `${path}.${member}`);

const typeName = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

const wrongType = (path: string, expected: string, value: unknown): BodyProblem => ({
  kind: 'wrong-type',
  path,
  expected,
  actual: typeName(value),
});

const firstOf = <Item>(items: Iterable<Item>, problemOf: (item: Item) => BodyProblem | undefined): BodyProblem | undefined => {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem) return problem;
  }
  return undefined;
};

const textProblem = (value: unknown, shape: ShapeOf<'text'>, path: string): BodyProblem | undefined => {
  if (typeof value !== 'string') return wrongType(path, 'string', value);
  if (shape.oneOf && !shape.oneOf.includes(value)) return { kind: 'not-allowed', path, value, allowed: shape.oneOf.join(', ') };
  if (shape.pattern && !shape.pattern.test(value)) return { kind: 'not-allowed', path, value, allowed: String(shape.pattern) };
  return undefined;
};

const numberProblem = (value: unknown, shape: ShapeOf<'number'>, path: string): BodyProblem | undefined => {
  if (typeof value !== 'number') return wrongType(path, shape.whole ? 'integer' : 'number', value);
  if (shape.whole && !Number.isInteger(value)) return { kind: 'wrong-type', path, expected: 'integer', actual: 'fraction' };
  if (value < shape.min || value > shape.max) {
    return { kind: 'not-allowed', path, value: String(value), allowed: `${String(shape.min)} to ${String(shape.max)}` };
  }
  return undefined;
};

const listProblem = (value: unknown, shape: ShapeOf<'list'>, path: string): BodyProblem | undefined => {
  if (!Array.isArray(value)) return wrongType(path, 'array', value);
  if (value.length < shape.atLeast || value.length > shape.atMost) {
    return {
      kind: 'not-allowed',
      path,
      value: `${String(value.length)} items`,
      allowed: `${String(shape.atLeast)} to ${String(shape.atMost)} items`,
    };
  }
  return firstOf(value.entries(), ([index, item]: [number, unknown]) => bodyProblem(item, shape.of, `${path}[${String(index)}]`));
};

const mapProblem = (value: unknown, shape: ShapeOf<'map'>, path: string): BodyProblem | undefined => {
  if (!isJsonObject(value)) return wrongType(path, 'object', value);
  return firstOf(Object.entries(value), ([key, item]) => bodyProblem(item, shape.of, join(path, key)));
};

const fieldProblem = (value: unknown, field: Field, at: { readonly path: string; readonly member: string }): BodyProblem | undefined => {
  const path = join(at.path, at.member);
  if (value === undefined || value === null) return field.required ? { kind: 'missing', path, member: at.member } : undefined;
  return field.readOnly === true ? { kind: 'read-only', path, member: at.member } : bodyProblem(value, field.shape, path);
};

const recordProblem = (value: unknown, shape: ShapeOf<'record'>, path: string): BodyProblem | undefined => {
  if (!isJsonObject(value)) return wrongType(path, 'object', value);
  const unknown = Object.keys(value).find((member) => !(member in shape.fields));
  if (unknown !== undefined) return { kind: 'unknown-member', path: join(path, unknown), member: unknown, type: shape.type };
  return firstOf(Object.entries(shape.fields), ([member, field]) => fieldProblem(value[member], field, { path, member }));
};

/** The first thing in a body that its shape does not allow, or undefined. `null` counts as left out. */
export const bodyProblem = (value: unknown, shape: BodyShape, path = ''): BodyProblem | undefined => {
  switch (shape.kind) {
    case 'anything':
      return undefined;
    case 'text':
      return textProblem(value, shape, path);
    case 'flag':
      return typeof value === 'boolean' ? undefined : wrongType(path, 'boolean', value);
    case 'number':
      return numberProblem(value, shape, path);
    case 'list':
      return listProblem(value, shape, path);
    case 'map':
      return mapProblem(value, shape, path);
    case 'record':
      return recordProblem(value, shape, path);
  }
};
