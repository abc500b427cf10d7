import type { Schema } from './schema.ts';

type Draft = { -readonly [K in keyof Schema]: Schema[K] };

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

/**
 * Reads type definitions written one per entry as `Name { field type; field! type }`, under `@ prefix` lines that give
 * the OpenAPI package. `!` required; `[]T` atomic list, `[]T*` set, `[]T=key,key` list merged by key; `{}T` map; `~`
 * atomic object or map; `^` patch strategy retainKeys. Returns short name → schema; the schemas refer to each other
 * directly.
 */
export const parseDefinitions = (...sources: readonly string[]): ReadonlyMap<string, Schema> => {
  const drafts = new Map<string, Draft>();
  const bodies: { readonly draft: Draft; readonly body: string }[] = [];
  for (const source of sources) {
    let prefix = '';
    for (const match of source.matchAll(/@ (\S+)|(\w+)(~?) \{((?:[^{}]|\{\})*)\}/g)) {
      const [, packageName, name = '', atomic, body = ''] = match;
      if (packageName !== undefined) {
        prefix = packageName;
        continue;
      }
      const draft: Draft = { type: 'object', definition: `${prefix}.${name.replace(DISTINCTION, '')}` };
      if (atomic === '~') draft['x-kubernetes-map-type'] = 'atomic';
      drafts.set(name, draft);
      bodies.push({ draft, body });
    }
  }
  for (const { draft, body } of bodies) fill(draft, body, drafts);
  return drafts;
};

const fill = (draft: Draft, body: string, drafts: ReadonlyMap<string, Draft>): void => {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const entry of body.split(';')) {
    const [field = '', type = ''] = entry.trim().split(/\s+/);
    const name = field.replace('!', '');
    properties[name] = typeOf(type, drafts);
    if (field.endsWith('!')) required.push(name);
  }
  draft.properties = properties;
  if (required.length > 0) draft.required = required;
};

const typeOf = (text: string, drafts: ReadonlyMap<string, Draft>): Schema => {
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

const listOf = (text: string, retainKeys: boolean, drafts: ReadonlyMap<string, Draft>): Schema => {
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

const mapOf = (text: string, drafts: ReadonlyMap<string, Draft>): Schema => {
  const atomic = text.endsWith('~');
  const additionalProperties = schemaNamed(atomic ? text.slice(0, -1) : text, drafts);
  return atomic ? { type: 'object', additionalProperties, 'x-kubernetes-map-type': 'atomic' } : { type: 'object', additionalProperties };
};

const schemaNamed = (name: string, drafts: ReadonlyMap<string, Draft>): Schema => {
  const schema = SCALARS[name] ?? drafts.get(name);
  if (schema === undefined) throw new Error(`no type named ${name}`);
  return schema;
};
