import type { Schema } from './schema.ts';

type MutableSchema = { -readonly [K in keyof Schema]: Schema[K] };

/** A prefix that distinguishes types of the same name, and is not part of the name. */
const DISTINCTION = /^Events(?=Event)|^Api(?=ResourceClaim$)|^Csi(?=TokenRequest$)|^Discovery(?=EndpointPort$)|^First(?=Horizontal|Cross)/;

const SCALARS: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  time: { type: 'string', format: 'date-time', definition: 'io.k8s.apimachinery.pkg.apis.meta.v1.Time' },
  microtime: { type: 'string', format: 'date-time', definition: 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime' },
  quantity: { type: 'string', definition: 'io.k8s.apimachinery.pkg.api.resource.Quantity' },
  intstr: { type: 'string', format: 'int-or-string', definition: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString' },
  bytes: { type: 'string', format: 'byte' },
  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

/** Package → type → its fields, in the notation of `parseDefinitions`. */
export type TypeTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Definitions {
  /** By short name. The schemas refer to each other directly. */
  readonly schemas: ReadonlyMap<string, Schema>;
  /** Type with its package → names of its protobuf fields, that of number 1 first; `^Type` for an inlined message. */
  readonly fieldNames: ReadonlyMap<string, readonly string[]>;
}

interface Field {
  readonly name: string;
  readonly type: string;
  /** In protobuf; undefined for one that clients do not send. */
  readonly number: number | undefined;
  /** What follows the name: `!`, `?`, `-`, `+`. */
  readonly flags: string;
}

const fieldsIn = (text: string): readonly Field[] =>
  text.split('; ').map((entry) => {
    const [nameAndFlags = '', type = '', number] = entry.split(' ');
    const [name = ''] = /^[^!?+-]*/.exec(nameAndFlags) ?? [];
    return { name, flags: nameAndFlags.slice(name.length), type, number: number === undefined ? undefined : Number(number) };
  });

const fieldNamesOf = (fields: readonly Field[]): readonly string[] => {
  const names: string[] = [];
  for (const { name, type, number } of fields) if (number !== undefined) names[number - 1] = name === '^' ? `^${type}` : name;
  return Array.from(names, (name: string | undefined) => name ?? '-');
};

/**
 * Reads type definitions written as `field type number; field! type number`; the number is that of protobuf. `!`
 * required; `?` a text whose empty value Go writes, `-` a number or boolean whose zero it does not write, `+` written
 * always. `string:Name` a string with a Go type of its own; `[]T` atomic list, `[]T*` set, `[]T=key,key` list merged by
 * key; `{}T` map; `Name~` atomic object, `{}T~` atomic map; `T^` patch strategy retainKeys. `^ T number` is a message
 * whose fields stand in JSON beside the others, without numbers; a type `^T` is in protobuf only.
 */
export const parseDefinitions = (table: TypeTable): Definitions => {
  const schemas = new Map<string, MutableSchema>();
  const fieldNames = new Map<string, readonly string[]>();
  const bodies: { readonly draft: MutableSchema; readonly fields: readonly Field[] }[] = [];
  for (const [packageName, types] of Object.entries(table)) {
    for (const [key, text] of Object.entries(types)) {
      const name = key.replaceAll(/[\^~]/g, '');
      const definition = `${packageName}.${name.replace(DISTINCTION, '')}`;
      const fields = fieldsIn(text);
      const names = fieldNamesOf(fields);
      if (names.length > 0) fieldNames.set(definition, names);
      if (key.startsWith('^')) continue;
      const draft: MutableSchema = { type: 'object', definition };
      if (key.endsWith('~')) draft['x-kubernetes-map-type'] = 'atomic';
      schemas.set(name, draft);
      const embedded = fields.find((field) => field.name === '^');
      if (embedded !== undefined) draft.embeds = embedded.type;
      bodies.push({ draft, fields: fields.filter((field) => field !== embedded) });
    }
  }
  for (const { draft, fields } of bodies) fill(draft, fields, schemas);
  return { schemas, fieldNames };
};

const fill = (draft: MutableSchema, fields: readonly Field[], drafts: ReadonlyMap<string, MutableSchema>): void => {
  draft.properties = Object.fromEntries(fields.map(({ name, type }) => [name, typeOf(type, drafts)]));
  for (const [flag, member] of FLAGS) {
    const names = fields.filter(({ flags }) => flags.includes(flag)).map(({ name }) => name);
    if (names.length > 0) draft[member] = names;
  }
  if (draft.embeds !== undefined) draft.ownMembers = fields.filter(({ number }) => number !== undefined).map(({ name }) => name);
};

const FLAGS = [
  ['!', 'required'],
  ['?', 'keptTexts'],
  ['-', 'droppedZeros'],
  ['+', 'alwaysWritten'],
] as const;

const typeOf = (text: string, drafts: ReadonlyMap<string, MutableSchema>): Schema => {
  const retainKeys = text.endsWith('^');
  const type = retainKeys ? text.slice(0, -1) : text;
  if (type.startsWith('[]')) return listOf(type.slice(2), retainKeys, drafts);
  if (type.startsWith('{}')) return mapOf(type.slice(2), drafts);
  const named = schemaNamed(type, drafts);
  return retainKeys ? retaining(named) : named;
};

/** A reference that adds the retainKeys strategy; its members are read late, since the target may not be filled in yet. */
const retaining = (target: Schema): Schema => ({
  ...target,
  'x-kubernetes-patch-strategy': 'retainKeys',
  get properties() {
    return target.properties ?? {};
  },
});

const listOf = (text: string, retainKeys: boolean, drafts: ReadonlyMap<string, MutableSchema>): Schema => {
  const [item = '', keys] = text.split('=');
  if (keys !== undefined) {
    const names = keys.split(',');
    const [first = ''] = names;
    return {
      type: 'array',
      items: schemaNamed(item, drafts),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': names,
      'x-kubernetes-patch-merge-key': first,
      'x-kubernetes-patch-strategy': retainKeys ? 'merge,retainKeys' : 'merge',
    };
  }
  if (item.endsWith('*')) {
    const items = schemaNamed(item.slice(0, -1), drafts);
    return { type: 'array', items, 'x-kubernetes-list-type': 'set', 'x-kubernetes-patch-strategy': 'merge' };
  }
  return { type: 'array', items: schemaNamed(item, drafts), 'x-kubernetes-list-type': 'atomic' };
};

const mapOf = (text: string, drafts: ReadonlyMap<string, MutableSchema>): Schema => {
  const atomic = text.endsWith('~');
  const additionalProperties = schemaNamed(atomic ? text.slice(0, -1) : text, drafts);
  return atomic ? { type: 'object', additionalProperties, 'x-kubernetes-map-type': 'atomic' } : { type: 'object', additionalProperties };
};

const schemaNamed = (text: string, drafts: ReadonlyMap<string, MutableSchema>): Schema => {
  const [name = '', goType] = text.split(':');
  const schema = SCALARS[name] ?? drafts.get(name);
  if (schema === undefined) throw new Error(`no type named ${name}`);
  return goType === undefined ? schema : { ...schema, goType };
};
