import { asRecord, jsonList, type JsonObject, type JsonValue, objectsAt, plainText, textAt } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import { type FieldError, forbiddenField, invalidValue, requiredAt } from '../status/field-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { nameProblems, qualifiedKeyProblems } from './names.ts';

/** What is wrong with `metadata` of a new or changed object. */
export const metadataErrors = (object: JsonObject, { custom, strategy }: Pick<Resource, 'custom' | 'strategy'>): readonly FieldError[] => {
  const { nameRule: rule = 'subdomain' } = strategy;
  const metadata = asRecord(object['metadata']);
  const name = textAt(metadata, 'name');
  return [
    ...(name === ''
      ? [requiredAt('metadata.name', 'name or generateName is required')]
      : nameProblems(name, rule).map((words) => invalidValue('metadata.name', name, words))),
    ...labelErrors(metadata['labels'], 'metadata.labels'),
    ...Object.keys(asRecord(metadata['annotations'])).flatMap((key) =>
      qualifiedKeyProblems(key.toLowerCase()).map((words) => invalidValue('metadata.annotations', key, words)),
    ),
    ...jsonList(metadata['finalizers']).flatMap((finalizer) =>
      qualifiedKeyProblems(plainText(finalizer)).map((words) => invalidValue('metadata.finalizers', finalizer, words)),
    ),
    ...(custom ? [] : unqualifiedErrors(metadata)),
    ...ownerErrors(metadata),
  ];
};

const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

const isUnqualified = (finalizer: string): boolean => !finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer);

const unqualifiedErrors = (metadata: JsonObject): readonly FieldError[] =>
  jsonList(metadata['finalizers'])
    .map(plainText)
    .flatMap((finalizer, index) =>
      isUnqualified(finalizer)
        ? [invalidValue(`metadata.finalizers[${index}]`, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')]
        : [],
    );

/** What to say of finalizers of custom resources that anybody might write. */
export const finalizerWarnings = (metadata: JsonObject): readonly string[] =>
  jsonList(metadata['finalizers'])
    .map(plainText)
    .filter(isUnqualified)
    .map(
      (finalizer) =>
        `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );

/** What is wrong with a map of labels. */
export const labelErrors = (labels: JsonValue | undefined, field: string): readonly FieldError[] =>
  Object.entries(asRecord(labels)).flatMap(([key, value]) => [
    ...qualifiedKeyProblems(key).map((words) => invalidValue(field, key, words)),
    ...nameProblems(plainText(value), 'labelValue').map((words) => invalidValue(field, value, words)),
  ]);

const ownerErrors = (metadata: JsonObject): readonly FieldError[] => {
  const owners = objectsAt(metadata, 'ownerReferences');
  const missing = owners.flatMap((owner, index) =>
    ['apiVersion', 'kind', 'name', 'uid']
      .filter((member) => textAt(owner, member) === '')
      .map((member) => invalidValue(`metadata.ownerReferences[${index}].${member}`, '', `${member} must not be empty`)),
  );
  const controllers = owners.filter(({ controller }) => controller === true);
  if (controllers.length < 2) return missing;
  return [
    ...missing,
    invalidValue(
      'metadata.ownerReferences',
      owners,
      `Only one reference can have Controller set to true. Found "true" in references for ${controllers.map((owner) => textAt(owner, 'kind')).join(' and ')}`,
    ),
  ];
};

/** What an update may not do to `metadata`. */
export const metadataUpdateErrors = (next: JsonObject, previous: StoredObject): readonly FieldError[] => {
  const { finalizers = [], deletionTimestamp } = previous.metadata;
  if (deletionTimestamp === undefined) return [];
  const added = jsonList(asRecord(next['metadata'])['finalizers']).filter((finalizer) => !finalizers.includes(plainText(finalizer)));
  if (added.length === 0) return [];
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  return [
    forbiddenField(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    ),
  ];
};
