import { plainText } from '../json/plain-text.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { asList, asObject } from '../json/json.ts';
import { objectsAt, textAt } from '../json/value-at.ts';
import type { Strategy } from '../resources/strategy.ts';
import type { FieldError } from '../status/field-error.ts';
import { forbiddenField, invalidValue, required } from '../status/field-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { nameProblems, qualifiedKeyProblems } from './names.ts';

/** What is wrong with `metadata` of a new or changed object. */
export const metadataErrors = (object: JsonObject, rule: NonNullable<Strategy['nameRule']>): readonly FieldError[] => {
  const metadata = asObject(object['metadata']);
  const name = textAt(metadata, 'name');
  return [
    ...(name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : nameProblems(name, rule).map((words) => invalidValue('metadata.name', name, words))),
    ...labelErrors(metadata['labels'], 'metadata.labels'),
    ...Object.keys(asObject(metadata['annotations'])).flatMap((key) =>
      qualifiedKeyProblems(key.toLowerCase()).map((words) => invalidValue('metadata.annotations', key, words)),
    ),
    ...asList(metadata['finalizers']).flatMap((finalizer) =>
      qualifiedKeyProblems(plainText(finalizer)).map((words) => invalidValue('metadata.finalizers', finalizer, words)),
    ),
    ...ownerErrors(metadata),
  ];
};

/** What is wrong with a map of labels. */
export const labelErrors = (labels: JsonValue | undefined, field: string): readonly FieldError[] =>
  Object.entries(asObject(labels)).flatMap(([key, value]) => [
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
  const added = asList(asObject(next['metadata'])['finalizers']).filter((finalizer) => !finalizers.includes(plainText(finalizer)));
  if (added.length === 0) return [];
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  return [
    forbiddenField(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    ),
  ];
};
