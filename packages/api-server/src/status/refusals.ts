import { ApiError, type ApiStatusCause } from './api-error.ts';
import { causeOf, type FieldError, textOf } from './field-error.ts';

/** The group and the name of a resource or kind that a refusal names. */
export interface RefusedObject {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

const qualified = (name: string, group: string): string => (group === '' ? name : `${name}.${group}`);

const about = (subject: RefusedObject, name: string) => ({
  name,
  ...(subject.group === '' ? {} : { group: subject.group }),
  kind: subject.plural,
});

/** 404 for an object. */
export const notFound = (subject: RefusedObject, name: string): ApiError =>
  new ApiError('NotFound', `${qualified(subject.plural, subject.group)} "${name}" not found`, about(subject, name));

/** 409 for a create of a name that is taken. */
export const alreadyExists = (subject: RefusedObject, name: string, { isGoing }: { readonly isGoing: boolean }): ApiError => {
  const text = `${qualified(subject.plural, subject.group)} "${name}" already exists`;
  return new ApiError('AlreadyExists', isGoing ? `object is being deleted: ${text}` : text, about(subject, name));
};

/** 409 with a reason of its own. */
export const conflict = (subject: RefusedObject, name: string, why: string): ApiError =>
  new ApiError(
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(subject.plural, subject.group)} "${name}": ${why}`,
    about(subject, name),
  );

/** The text of a lost optimistic lock. */
export const STALE_OBJECT = 'the object has been modified; please apply your changes to the latest version and try again';

/** 403 with a reason of its own. */
export const forbidden = (
  subject: RefusedObject,
  name: string,
  reason: { readonly why: string; readonly causes?: readonly ApiStatusCause[] },
): ApiError => {
  const { why, ...causes } = reason;
  return new ApiError('Forbidden', `${qualified(subject.plural, subject.group)} "${name}" is forbidden: ${why}`, {
    ...about(subject, name),
    ...causes,
  });
};

/** 422 that lists every field that is wrong. */
export const invalid = (subject: RefusedObject, name: string, errors: readonly FieldError[]): ApiError => {
  const texts = [...new Set(errors.map(textOf))];
  const list = texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
  return new ApiError('Invalid', `${qualified(subject.kind, subject.group)} "${name}" is invalid: ${list}`, {
    ...(name === '' ? {} : { name }),
    ...(subject.group === '' ? {} : { group: subject.group }),
    ...(subject.kind === '' ? {} : { kind: subject.kind }),
    causes: errors.map(causeOf),
  });
};

/** 400 for a request that cannot be read. */
export const badRequest = (message: string): ApiError => new ApiError('BadRequest', message);

/** 415 for a body of another media type than those that are accepted. */
export const unknownFormat = (accepted: string): ApiError =>
  new ApiError('UnsupportedMediaType', `the body of the request was in an unknown format - accepted media types include: ${accepted}`);

/** 404 for a path that is not served. */
export const unknownPath = (): ApiError => new ApiError('NotFound', 'the server could not find the requested resource', {});

/** 405. */
export const methodNotAllowed = (): ApiError =>
  new ApiError('MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

/** The refusal of options in a query or in the body of a delete. */
export const invalidOptions = (kind: string, ...errors: readonly FieldError[]): ApiError =>
  invalid({ group: 'meta.k8s.io', plural: '', kind }, '', errors);

/** 500 for what a real server fails on rather than judges: its Status gives no reason. */
export const failure = (message: string): ApiError => new ApiError('Unknown', message);

/** The error of a number that Go cannot read. */
export const notANumber = (text: string, reader: 'ParseInt' | 'ParseUint'): string =>
  `strconv.${reader}: parsing ${JSON.stringify(text)}: invalid syntax`;

/** 400 for an object of another name than its path. */
export const otherName = (given: string, name: string): ApiError =>
  badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);

/** 400 for an object of another namespace than its path. */
export const otherNamespace = (): ApiError =>
  badRequest('the namespace of the provided object does not match the namespace sent on the request');

/** 410 for a watch or a continue token from before the kept history. */
export const expired = (message: string): ApiError => new ApiError('Expired', message);
