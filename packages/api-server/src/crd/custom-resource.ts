import { asRecord, jsonList, type JsonObject, objectsAt, plainText, textAt, valueAt } from '../json/json.ts';
import type { VersionConversion, Resource, ScalePaths } from '../resources/resource.ts';
import type { Strategy } from '../resources/strategy.ts';
import { builtInSchema } from '../schema/built-in-schemas.ts';
import type { Schema } from '../schema/schema.ts';
import { asJson, type StoredObject } from '../store/stored-object.ts';
import { applyDefaults } from './apply-defaults.ts';
import { createRuleChecker } from './cel-rules.ts';
import { customColumns } from './custom-columns.ts';
import { compileJsonPath } from './json-path.ts';
import { prune } from './prune.ts';
import { replicasErrors } from './replicas-errors.ts';
import { schemaErrors } from './schema-errors.ts';

/** The resources of a CustomResourceDefinition, one per served version; the stored version comes first. */
export const customResources = (definition: StoredObject): readonly Resource[] => {
  const versions = objectsAt(definition, 'spec.versions');
  const stored = versions.find(({ storage }) => storage === true);
  if (stored === undefined) return [];
  const served = versions.filter((version) => version['served'] === true).toSorted((a, b) => Number(b === stored) - Number(a === stored));
  return served.map((version) => customResource(definition, version, stored));
};

const schemaOf = (version: JsonObject): Schema => {
  const schema = asRecord(valueAt(version, 'schema.openAPIV3Schema')) as Schema;
  const meta = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: builtInSchema('ObjectMeta') } as const;
  return { ...schema, properties: { ...schema.properties, ...meta } };
};

const customResource = (definition: StoredObject, version: JsonObject, stored: JsonObject): Resource => {
  const group = textAt(definition, 'spec.group');
  const names = asRecord(valueAt(definition, 'spec.names'));
  const [plural, kind] = [textAt(names, 'plural'), textAt(names, 'kind')];
  const schema = schemaOf(version);
  return {
    group,
    version: textAt(version, 'name'),
    kind,
    listKind: textAt(names, 'listKind') || `${kind}List`,
    plural,
    singular: textAt(names, 'singular') || kind.toLowerCase(),
    shortNames: jsonList(names['shortNames']).map(String),
    categories: jsonList(names['categories']).map(String),
    namespaced: textAt(definition, 'spec.scope') === 'Namespaced',
    storage: `${plural}.${group}`,
    schema,
    hasStatus: valueAt(version, 'subresources.status') !== undefined,
    scale: scaleOf(version),
    columns: customColumns(objectsAt(version, 'additionalPrinterColumns')),
    selectable: selectableOf(version),
    strategy: strategyOf(schemaOf(stored), scaleOf(version)),
    decode: (body) => prune(body, schema),
    conversion: version === stored ? undefined : conversionOf(group, { version, stored }, schema),
    warning: warningOf(group, version, kind),
    answersDeleted: false,
    custom: true,
  };
};

/** Conversion strategy None: only the apiVersion changes, and what the other version does not know is dropped. */
const conversionOf = (
  group: string,
  { version, stored }: { readonly version: JsonObject; readonly stored: JsonObject },
  schema: Schema,
): VersionConversion => ({
  toStored: (object) => prune({ ...object, apiVersion: `${group}/${textAt(stored, 'name')}` }, schemaOf(stored)).object,
  fromStored: (object) => prune({ ...object, apiVersion: `${group}/${textAt(version, 'name')}` }, schema).object,
});

const warningOf = (group: string, version: JsonObject, kind: string): string | undefined => {
  if (version['deprecated'] !== true) return undefined;
  return textAt(version, 'deprecationWarning') || `${group}/${textAt(version, 'name')} ${kind} is deprecated`;
};

const bare = (path: string): string => path.replace(/^\./, '');

const scaleOf = (version: JsonObject): ScalePaths | undefined => {
  const scale = valueAt(version, 'subresources.scale');
  if (scale === undefined) return undefined;
  return {
    specReplicas: bare(textAt(scale, 'specReplicasPath')),
    statusReplicas: bare(textAt(scale, 'statusReplicasPath')),
    selector: bare(textAt(scale, 'labelSelectorPath')) || undefined,
  };
};

const selectableOf = (version: JsonObject): Resource['selectable'] =>
  Object.fromEntries(
    objectsAt(version, 'selectableFields').map((field) => {
      const path = textAt(field, 'jsonPath');
      const read = compileJsonPath(path);
      return [bare(path), (object: StoredObject) => plainText(read(asJson(object))[0])];
    }),
  );

const TYPE_META = new Set(['apiVersion', 'kind', 'metadata']);
const strategyOf = (schema: Schema, scale: ScalePaths | undefined): Strategy => {
  const checkRules = createRuleChecker();
  const shape = { ...schema, required: (schema.required ?? []).filter((name) => !TYPE_META.has(name)) };
  return {
    defaults: (object) => applyDefaults(object, schema),
    validate: ({ apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...rest }) => [
      ...schemaErrors(rest, shape, ''),
      ...(scale === undefined ? [] : replicasErrors(rest, scale.specReplicas)),
    ],
    rules: (object, previous) => checkRules(object, schema, previous === undefined ? undefined : asJson(previous)),
  };
};
