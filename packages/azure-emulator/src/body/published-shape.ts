import { amount, anything, type Field, flag, list, mapOf, oneOfTexts, type BodyShape, text, whole } from './shape.ts';

/** The models of a service as its published specification has them: facts, by name. */
export interface PublishedModels {
  /**
   * Model → member → its type: `string`, `date-time`, `boolean`, `integer`, `number`, `anything`, the name of a model
   * or of a list of values; `…[]` of a list, `map of …` of an object with any keys.
   */
  readonly models: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Closed lists of values. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Model → members that only the service writes. */
  readonly readOnly: Readonly<Record<string, readonly string[]>>;
  /** Model → members that must be there. */
  readonly required: Readonly<Record<string, readonly string[]>>;
}

const MAP = 'map of ';
const LIST = '[]';
const INT32 = 2 ** 31;

const PLAIN: Readonly<Record<string, BodyShape>> = {
  anything,
  string: text(),
  'date-time': text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/),
  boolean: flag,
  integer: whole(-INT32, INT32 - 1),
  number: amount(-Infinity, Infinity),
};

/**
 * What a body of a model may be: one that is sent, or one that the service answers with. Throws for a type that nobody
 * has described.
 */
export const publishedShape = (published: PublishedModels, model: string, use: 'sent' | 'answered'): BodyShape => {
  const known = new Map<string, BodyShape>();
  const fieldOf = (owner: string, member: string, type: string): Field => ({
    shape: shapeOf(type),
    required: published.required[owner]?.includes(member) ?? false,
    readOnly: use === 'sent' && (published.readOnly[owner]?.includes(member) ?? false),
  });
  const recordOf = (name: string, members: Readonly<Record<string, string>>): BodyShape => {
    const fields: Record<string, Field> = {};
    const shape: BodyShape = { kind: 'record', type: name, fields };
    // Known before its members are: a model may hold itself, as an error its details.
    known.set(name, shape);
    for (const [member, type] of Object.entries(members)) fields[member] = fieldOf(name, member, type);
    return shape;
  };
  const namedShape = (type: string): BodyShape => {
    const values = published.values[type];
    if (values !== undefined) return oneOfTexts(...values);
    const members = published.models[type];
    if (members !== undefined) return known.get(type) ?? recordOf(type, members);
    throw new Error(`no model and no list of values is called ${type}`);
  };
  const shapeOf = (type: string): BodyShape => {
    if (type.startsWith(MAP)) return mapOf(shapeOf(type.slice(MAP.length)));
    if (type.endsWith(LIST)) return list(shapeOf(type.slice(0, -LIST.length)));
    return PLAIN[type] ?? namedShape(type);
  };
  return shapeOf(model);
};
