import type { JsonObject } from '../json/json.ts';
import { textAt } from '../json/value-at.ts';
import type { Resource } from '../resources/resource.ts';
import type { FieldError } from '../status/field-error.ts';
import { invalid } from '../status/refusals.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { metadataErrors, metadataUpdateErrors } from '../validation/metadata.ts';
import { requiredErrors } from '../validation/required-fields.ts';

/** Throws an `ApiError` (`Invalid`) with everything that is wrong with a new object, or with a change of `previous`. */
export const validate = (resource: Resource, object: JsonObject, previous: StoredObject | undefined): void => {
  const { strategy } = resource;
  const errors: readonly FieldError[] = [
    ...metadataErrors(object, strategy.nameRule ?? 'subdomain'),
    ...(resource.custom ? [] : requiredErrors(object, resource.schema)),
    ...(previous === undefined || !resource.custom ? (strategy.validate?.(object) ?? []) : []),
    ...(previous === undefined ? [] : changeErrors(resource, object, previous)),
  ];
  if (errors.length > 0) throw invalid(resource, textAt(object, 'metadata.name'), distinct(errors));
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
