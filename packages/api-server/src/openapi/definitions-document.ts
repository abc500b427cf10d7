import type { JsonObject, JsonValue } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import type { Schema } from '../schema/schema.ts';

/** What differs between the two versions of OpenAPI documents. */
export interface Dialect {
  readonly refPrefix: '#/definitions/' | '#/components/schemas/';
}

/** The OpenAPI name of the type of a resource. */
export const definitionName = ({ custom, group, version, kind, schema }: Resource): string =>
  custom ? `${group.split('.').toReversed().join('.')}.${version}.${kind}` : (schema.definition ?? kind);

const KEPT = [
  'type',
  'format',
  'title',
  'description',
  'required',
  'default',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-validations',
] as const;

/** Collects the named types that resources need, as OpenAPI schemas. */
export const definitionsOf = (resources: readonly Resource[], dialect: Dialect): JsonObject => {
  const definitions: JsonObject = {};
  /** A type that contains itself is there before its members are. */
  const define = (name: string, schema: Schema): void => {
    if (definitions[name] !== undefined) return;
    definitions[name] = {};
    definitions[name] = inline({ ...schema, properties: schema.properties ?? {}, 'x-kubernetes-patch-strategy': '' });
  };
  const reference = (schema: Schema): JsonValue => {
    const name = schema.definition;
    if (name === undefined) return inline(schema);
    define(name, schema);
    const ref = { $ref: `${dialect.refPrefix}${name}` };
    const strategy = schema['x-kubernetes-patch-strategy'];
    if (strategy !== undefined) return { ...ref, 'x-kubernetes-patch-strategy': strategy };
    return dialect.refPrefix === '#/definitions/' ? ref : { allOf: [ref], default: {} };
  };
  const inline = (schema: Schema): JsonObject => {
    const result: JsonObject = {};
    for (const member of KEPT) if (schema[member] !== undefined && schema[member] !== '') result[member] = schema[member] as JsonValue;
    if (schema['x-kubernetes-int-or-string'] === true) delete result['type'];
    const { properties, additionalProperties, items } = schema;
    if (properties !== undefined && Object.keys(properties).length > 0) {
      result['properties'] = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, reference(member)]));
    }
    if (typeof additionalProperties === 'object') result['additionalProperties'] = reference(additionalProperties);
    if (items !== undefined) result['items'] = reference(items);
    return result;
  };
  for (const resource of resources) {
    const name = definitionName(resource);
    define(name, resource.schema);
    definitions[name] = { ...(definitions[name] as JsonObject), 'x-kubernetes-group-version-kind': [gvk(resource)] };
  }
  return definitions;
};

/** The extension that ties a type or an operation to its kind. */
export const gvk = ({ group, version, kind }: Resource): JsonObject => ({ group, version, kind });
