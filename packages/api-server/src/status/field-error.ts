import type { ApiStatusCause } from './api-error.ts';

/** The kinds of field error of apimachinery with the words each begins with. */
const WORDS = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueNotFound: 'Not found',
} as const;

/** One thing wrong with one field of an object. */
export interface FieldError {
  readonly reason: keyof typeof WORDS;
  readonly field: string;
  /** The offending value; undefined when the words say enough (required, forbidden, too long). */
  readonly value?: unknown;
  readonly detail: string;
}

/** The path of a member below a path; the root's path is empty. */
export const memberPath = (path: string, member: string): string => (path === '' ? member : `${path}.${member}`);

const bodyOf = ({ reason, value, detail }: FieldError): string => {
  const shown = value === undefined ? '' : `: ${JSON.stringify(value)}`;
  return `${WORDS[reason]}${shown}${detail === '' ? '' : `: ${detail}`}`;
};

/** `field: words: value: detail`, as kubectl prints it. */
export const textOf = (error: FieldError): string => `${error.field}: ${bodyOf(error)}`;

/** The entry of `details.causes`. */
export const causeOf = (error: FieldError): ApiStatusCause => ({ reason: error.reason, message: bodyOf(error), field: error.field });

/** `field: Required value`. */
export const requiredAt = (field: string, detail = ''): FieldError => ({ reason: 'FieldValueRequired', field, detail });

/** `field: Invalid value: value: detail`. */
export const invalidValue = (field: string, value: unknown, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  value: value ?? null,
  detail,
});

/** `field: Too long: may not be more than 63 bytes`. */
export const tooLong = (field: string, most: number): FieldError => ({
  reason: 'FieldValueTooLong',
  field,
  detail: `may not be more than ${most} bytes`,
});

/** `field: Forbidden: detail`. */
export const forbiddenField = (field: string, detail: string): FieldError => ({ reason: 'FieldValueForbidden', field, detail });

/** `field: Duplicate value: value`. */
export const duplicate = (field: string, value: unknown): FieldError => ({ reason: 'FieldValueDuplicate', field, value, detail: '' });

/** `field: Unsupported value: value: supported values: a, b`. */
export const unsupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  reason: 'FieldValueNotSupported',
  field,
  value: value ?? null,
  detail: `supported values: ${supported.map((one) => JSON.stringify(one)).join(', ')}`,
});
