import type { JsonValue } from './json.ts';

/** A JSON value as text: a string as it is, anything else as JSON, nothing as the empty string. */
export const plainText = (value: JsonValue | undefined): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
