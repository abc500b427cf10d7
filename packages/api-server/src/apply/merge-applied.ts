import { isObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { memberSchema, type Schema } from '../schema/schema.ts';
import { isGranular, itemElement, listTypeOf } from './field-paths.ts';

/** An applied object laid over a live one: granular parts are merged, atomic parts replaced. */
export const mergeApplied = (live: JsonObject, applied: JsonObject, schema: Schema): JsonObject => {
  const result: JsonObject = { ...live };
  for (const [name, value] of Object.entries(applied)) {
    if (value === undefined) continue;
    result[name] = mergeValue(live[name], value, memberSchema(schema, name));
  }
  return result;
};

const mergeValue = (live: JsonValue | undefined, applied: JsonValue, schema: Schema | undefined): JsonValue => {
  if (isObject(live) && isObject(applied) && isGranular(schema)) return mergeApplied(live, applied, schema ?? {});
  if (Array.isArray(live) && Array.isArray(applied) && schema !== undefined && listTypeOf(schema) !== 'atomic')
    return mergeItems(live, applied, schema);
  return applied;
};

const mergeItems = (live: readonly JsonValue[], applied: readonly JsonValue[], schema: Schema): JsonValue[] => {
  const given = new Map(applied.map((item) => [itemElement(item, schema), item]));
  const kept = live.map((item) => {
    const element = itemElement(item, schema);
    const patch = given.get(element);
    given.delete(element);
    return patch === undefined ? item : mergeValue(item, patch, schema.items);
  });
  return [...kept, ...given.values()];
};

/** The object without the fields at some paths, and without the members and lists that are empty for want of them. */
export const withoutFields = (object: JsonObject, schema: Schema, gone: ReadonlySet<string>): JsonObject => {
  const strip = (value: JsonValue, at: Position): JsonValue | undefined => {
    if (gone.has(at.path)) return undefined;
    if (isObject(value) && isGranular(at.schema)) return unlessEmptied(stripMembers(value, at), value);
    if (Array.isArray(value) && at.schema !== undefined && listTypeOf(at.schema) !== 'atomic') return stripItems(value, at);
    return value;
  };
  const stripItems = (value: readonly JsonValue[], { path, schema: ofList = {} }: Position): JsonValue | undefined => {
    const left = value
      .map((item) => strip(item, { path: `${path}\n${itemElement(item, ofList)}`, schema: ofList.items }))
      .filter((item) => item !== undefined);
    return unlessEmptied(left, value);
  };
  const stripMembers = (value: JsonObject, { path, schema: ofObject = {} }: Position): JsonObject => {
    const result: JsonObject = {};
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      const left = strip(member, { path: path === '' ? `f:${name}` : `${path}\nf:${name}`, schema: memberSchema(ofObject, name) });
      if (left !== undefined) result[name] = left;
    }
    return result;
  };
  return stripMembers(object, { path: '', schema });
};

/** Where in an object, and what may stand there. */
interface Position {
  readonly path: string;
  readonly schema: Schema | undefined;
}

/** What is left of an object or a list; undefined when that is nothing, and it was something before. */
const unlessEmptied = <T extends object>(left: T, before: object): T | undefined =>
  Object.keys(left).length === 0 && Object.keys(before).length > 0 ? undefined : left;
