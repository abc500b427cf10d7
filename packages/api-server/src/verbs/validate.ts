import { type JsonObject, textAt } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import type { FieldError } from '../status/field-error.ts';
import { invalid, type RefusedObject } from '../status/refusals.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { metadataErrors, metadataUpdateErrors } from '../validation/metadata.ts';
import { structErrors } from '../validation/struct-errors.ts';

/** Throws an `ApiError` (`Invalid`) with everything that is wrong with a new object, or with a change of `previous`. */
export const validate = (resource: Resource, object: JsonObject, previous: StoredObject | undefined): void => {
  const { strategy } = resource;
  const shape: readonly FieldError[] = [
    ...metadataErrors(object, resource),
    ...(resource.custom ? [] : structErrors(object, resource.schema)),
    ...(strategy.validate?.(object) ?? []),
    ...(previous === undefined ? [] : changeErrors(resource, object, previous)),
  ];
  const { rules } = strategy;
  const errors = rules === undefined ? shape : [...shape, ...(shape.some(blocksRules) ? [UNCHECKED] : rules(object, previous))];
  if (errors.length > 0) throw invalid(subjectOf(resource), textAt(object, 'metadata.name'), distinct(errors));
};

/** Errors name the kind that is stored: an event of events.k8s.io is one of core. */
const subjectOf = (resource: Resource): RefusedObject => (resource.storage.includes('.') ? resource : { ...resource, group: '' });

const BLOCKING: ReadonlySet<FieldError['reason']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const blocksRules = ({ reason }: FieldError): boolean => BLOCKING.has(reason);

const UNCHECKED: FieldError = {
  reason: 'FieldValueInvalid',
  field: '<nil>',
  value: null,
  detail: 'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

const changeErrors = ({ strategy }: Resource, object: JsonObject, previous: StoredObject): readonly FieldError[] => [
  ...metadataUpdateErrors(object, previous),
  ...(strategy.validateUpdate?.(object, previous) ?? []),
];

const distinct = (errors: readonly FieldError[]): readonly FieldError[] => {
  const seen = new Set<string>();
  return errors.filter(({ field, reason, detail, value }) => {
    const id = JSON.stringify([field, reason, value, reason === 'FieldValueRequired' ? '' : detail]);
    const first = !seen.has(id);
    seen.add(id);
    return first;
  });
};
