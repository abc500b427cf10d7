import fc from 'fast-check';
import { isJsonObject } from '@karpenter/runtime';
import { ODD_TEXTS } from './mutations.ts';

/** What an OpenAPI document says of a value, as far as it is read here. */
export interface ValueSchema {
  readonly $ref?: string;
  readonly allOf?: readonly ValueSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly additionalProperties?: ValueSchema | boolean;
  readonly items?: ValueSchema;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly group: string; readonly version: string; readonly kind: string }[];
}

/** The schemas of an OpenAPI document: name → schema. */
export type NamedSchemas = Readonly<Record<string, ValueSchema>>;

/** Numbers that decide all that is drawn; 0 where they have run out, which draws the plainest. */
class Tape {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** A whole number from 0, below the limit. */
  below(limit: number): number {
    const number = this.#numbers[this.#at] ?? 0;
    this.#at += 1;
    return number % Math.max(1, limit);
  }

  /** One of the list, which is not empty. */
  oneOf<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  isOneIn(chances: number): boolean {
    return this.below(chances) === chances - 1;
  }
}

/** Amounts that Kubernetes takes, at the edges of what it can count. */
const QUANTITIES: readonly unknown[] = [
  ...['1', '0', '1m', '1n', '0.1', '100m', '1.5Gi', '1e3', '1E', '8Ei', '1e18', '1e308', '-1', '+1'],
  ...['9223372036854775807', '999999999999', '1000000n', '0.000000001', '1Ki', '.5', '5.', 1, 0, 2_147_483_648],
];
const TIMES: readonly string[] = [
  ...['2026-06-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '1970-01-01T00:00:00Z', '2026-06-01T00:00:00+14:00'],
  ...['2100-01-01T00:00:00.999999Z'],
];
const COUNTS_OR_SHARES: readonly unknown[] = [1, 0, 2_147_483_647, '0%', '50%', '100%', '1%', '99%', '200%'];
const EDGES: readonly number[] = [
  ...[1, 0, -1, 2, 100, 101, 65_535, 65_536, 2_147_483_647, -2_147_483_648, 2_147_483_648, 2 ** 53 - 1, -(2 ** 53 - 1)],
];

const LENGTHS: readonly number[] = [1, 63, 64, 253, 254, 316, 1000];
/** Longer lists and maps take time, and show nothing that these do not. */
const MOST_ENTRIES = 300;
/** How many levels down members are drawn that need not be there. */
const DEEP = 5;

const matching = new Map<string, fc.Arbitrary<string> | undefined>();

/** Texts of the pattern; undefined for one that fast-check does not read. */
const textsOf = (pattern: string): fc.Arbitrary<string> | undefined => {
  if (matching.has(pattern)) return matching.get(pattern);
  let texts: fc.Arbitrary<string> | undefined;
  try {
    texts = fc.stringMatching(new RegExp(pattern, 'u'));
  } catch {
    texts = undefined;
  }
  matching.set(pattern, texts);
  return texts;
};

/** Member → texts that it has in plain objects, and the keys of the maps of that name. */
class Vocabulary {
  readonly #texts = new Map<string, Set<string>>();
  readonly #keys = new Map<string, Set<string>>();

  constructor(objects: readonly unknown[]) {
    for (const object of objects) this.#read('', object);
  }

  textsFor(member: string): readonly string[] {
    return [...(this.#texts.get(member) ?? [])];
  }

  keysFor(member: string): readonly string[] {
    return [...(this.#keys.get(member) ?? [])];
  }

  #read(member: string, value: unknown): void {
    if (typeof value === 'string') this.#enter(this.#texts, member, value);
    if (Array.isArray(value)) for (const each of value) this.#read(member, each);
    if (!isJsonObject(value)) return;
    for (const [key, each] of Object.entries(value)) {
      this.#enter(this.#keys, member, key);
      this.#read(key, each);
    }
  }

  #enter(into: Map<string, Set<string>>, member: string, text: string): void {
    into.set(member, (into.get(member) ?? new Set()).add(text));
  }
}

/** A schema, and its name where it has one. */
type NamedSchema = ValueSchema & { readonly name?: string };

/** What a value is drawn from. */
interface Source {
  readonly schemas: NamedSchemas;
  readonly vocabulary: Vocabulary;
}

interface Drawn {
  /** The member that the value is for. */
  readonly member: string;
  /** Levels below the object. */
  readonly depth: number;
}

const REF = /[^/]+$/;

/** The schema itself where it is a reference. */
const resolved = (schemas: NamedSchemas, schema: ValueSchema): NamedSchema => {
  const { $ref: ref } = schema.allOf?.[0] ?? schema;
  const name = ref === undefined ? undefined : REF.exec(ref)?.[0];
  return name === undefined ? schema : { ...schemas[name], name };
};

/** Values that the schema lists, or that its format does; undefined for others. */
const listedValues = ({ enum: values, name, format, ...schema }: NamedSchema): readonly unknown[] | undefined => {
  if (values !== undefined && values.length > 0) return values;
  if (format === 'int-or-string') return COUNTS_OR_SHARES;
  if (format === 'date-time') return TIMES;
  return name?.endsWith('.Quantity') === true || schema['x-kubernetes-int-or-string'] === true ? QUANTITIES : undefined;
};

const edgesOf = ({ minimum, maximum, format }: ValueSchema): readonly number[] => {
  const ends = [minimum, maximum].flatMap((end) => (end === undefined ? [] : [end, end - 1, end + 1]));
  return [...ends, ...EDGES].filter((edge) => format !== 'int32' || Math.abs(edge) <= 2_147_483_648);
};

/** Draws values that a schema allows, mostly at an edge of what it allows. */
class ValueDrawing {
  readonly #tape: Tape;
  readonly #source: Source;

  constructor(tape: Tape, source: Source) {
    this.#tape = tape;
    this.#source = source;
  }

  value(given: ValueSchema, at: Drawn): unknown {
    const schema = resolved(this.#source.schemas, given);
    const listed = listedValues(schema);
    if (listed !== undefined) return this.#tape.oneOf(listed);
    switch (schema.type) {
      case 'string':
        return this.#text(schema, at.member);
      case 'integer':
      case 'number':
        return this.#tape.oneOf(edgesOf(schema));
      case 'boolean':
        return this.#tape.below(2) === 0;
      case 'array':
        return Array.from({ length: this.#count(schema) }, () => this.value(schema.items ?? {}, { ...at, depth: at.depth + 1 }));
      case undefined:
      default:
        return schema.properties === undefined ? this.map(schema, at) : this.#members(schema, at);
    }
  }

  map(schema: ValueSchema, { member, depth }: Drawn): Readonly<Record<string, unknown>> {
    const keys = [...this.#source.vocabulary.keysFor(member), 'a', 'example.com/a', 'constructor', '__proto__', ''];
    const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : { type: 'string' };
    const entries = Array.from({ length: this.#count(schema) }, (_, index) => [
      index < 3 ? this.#tape.oneOf(keys) : `key-${index}`,
      this.value(values, { member, depth: depth + 1 }),
    ]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }

  #members({ properties = {}, required = [] }: ValueSchema, { depth }: Drawn): unknown {
    const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || (depth < DEEP && this.#tape.isOneIn(4)));
    return Object.fromEntries(chosen.map(([member, each]) => [member, this.value(each, { member, depth: depth + 1 })]));
  }

  #text({ pattern, maxLength }: ValueSchema, member: string): string {
    const texts = pattern === undefined ? undefined : textsOf(pattern);
    const known = this.#source.vocabulary.textsFor(member);
    const kind = this.#tape.below(8);
    if (texts !== undefined && kind < 4) return fc.sample(texts, { numRuns: 1, seed: this.#tape.below(1_000_000) })[0] ?? '';
    if (known.length > 0 && kind < 5) return this.#tape.oneOf(known);
    if (kind !== 6) return this.#tape.oneOf(ODD_TEXTS);
    const length = maxLength === undefined ? this.#tape.oneOf(LENGTHS) : maxLength + this.#tape.below(2);
    return this.#tape.oneOf(['a', '0', '9']).repeat(length);
  }

  /** How many entries a list or map has: mostly few, at times as many as it may have, or one more. */
  #count({ minItems = 0, maxItems }: ValueSchema): number {
    const ends = maxItems === undefined ? [MOST_ENTRIES] : [maxItems, maxItems + 1];
    const count = this.#tape.isOneIn(12) ? this.#tape.oneOf(ends) : minItems + this.#tape.oneOf([1, 0, 2, 1]);
    return Math.min(count, MOST_ENTRIES);
  }
}

/** A list or an object of the tree, with what its schema says. */
interface Place {
  readonly value: Record<string, unknown> | unknown[];
  readonly schema: ValueSchema;
  readonly member: string;
}

const placesIn = (schemas: NamedSchemas, value: unknown, { schema: given, member }: Omit<Place, 'value'>): readonly Place[] => {
  const schema = resolved(schemas, given);
  const { properties = {}, items, additionalProperties } = schema;
  if (Array.isArray(value)) {
    const below = value.flatMap((each) => (items === undefined ? [] : placesIn(schemas, each, { schema: items, member })));
    return [{ value, schema, member }, ...below];
  }
  if (!isJsonObject(value)) return [];
  const ofMap = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const below = Object.entries(value).flatMap(([name, each]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : ofMap;
    return own === undefined ? [] : placesIn(schemas, each, { schema: own, member: name });
  });
  return [{ value, schema, member }, ...below];
};

/** What an object is and where it is stored: another of these would be another object. */
const IDENTITY: ReadonlySet<string> = new Set([
  ...['apiVersion', 'kind', 'metadata', 'name', 'generateName', 'namespace', 'managedFields', 'resourceVersion'],
]);

/** Draws one member of one part of the object, or one more entry of a list or a map. */
const drawInto = ({ value, schema, member }: Place, tape: Tape, drawing: ValueDrawing): void => {
  if (Array.isArray(value)) {
    value.push(drawing.value(schema.items ?? {}, { member, depth: 1 }));
    return;
  }
  const isIdentified = member === '' || schema.properties?.['managedFields'] !== undefined;
  const names = Object.keys(schema.properties ?? {}).filter((name) => !isIdentified || !IDENTITY.has(name));
  if (names.length === 0) {
    Object.assign(value, drawing.map(schema, { member, depth: 1 }));
    return;
  }
  const name = tape.oneOf(names);
  value[name] = drawing.value(schema.properties?.[name] ?? {}, { member: name, depth: 1 });
};

/** An object of some kind. */
interface Kinded {
  readonly apiVersion: string;
  readonly kind: string;
}

const kindText = ({ apiVersion, kind }: Kinded): string => `${apiVersion} ${kind}`;

/** Draws objects by the schemas that an API server publishes. */
export class ObjectDrawing {
  readonly #source: Source;
  readonly #byKind = new Map<string, ValueSchema>();

  /** `plain`: objects whose texts and keys are drawn too, because the API server takes more of them. */
  constructor(schemas: NamedSchemas, plain: readonly unknown[]) {
    this.#source = { schemas, vocabulary: new Vocabulary(plain) };
    for (const schema of Object.values(schemas)) {
      for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? [])
        this.#byKind.set(kindText({ apiVersion: group === '' ? version : `${group}/${version}`, kind }), schema);
    }
  }

  /**
   * The object with up to four members drawn from the schema of its kind, wherever they are in it. It keeps its name.
   * Errors: no schema of its kind.
   */
  around<T extends Kinded>(base: T): fc.Arbitrary<T> {
    const schema = this.#byKind.get(kindText(base));
    if (schema === undefined) throw new Error(`There is no schema of ${kindText(base)}`);
    return fc.array(fc.nat(), { minLength: 40, maxLength: 200 }).map((numbers) => {
      const tape = new Tape(numbers);
      const drawing = new ValueDrawing(tape, this.#source);
      const object = structuredClone(base);
      for (let left = 1 + tape.below(4); left > 0; left -= 1)
        drawInto(tape.oneOf(placesIn(this.#source.schemas, object, { schema, member: '' })), tape, drawing);
      return object;
    });
  }
}

/** The schemas of all documents that an API server publishes. Some are in several documents, and name their kind in one. */
export const publishedSchemas = async (url: string): Promise<NamedSchemas> => {
  const read = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json();
  const { paths } = (await read('/openapi/v3')) as { readonly paths: Readonly<Record<string, unknown>> };
  const documents = await Promise.all(Object.keys(paths).map((path) => read(`/openapi/v3/${path}`)));
  const schemas: Record<string, ValueSchema> = {};
  for (const document of documents) {
    const { components } = document as { readonly components: { readonly schemas: NamedSchemas } };
    for (const [name, schema] of Object.entries(components.schemas)) schemas[name] = { ...schemas[name], ...schema };
  }
  return schemas;
};
