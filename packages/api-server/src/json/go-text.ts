import { isObject, type JsonValue } from './json.ts';

/** A value as Go prints a map of anything: `map[a:1 b:[x y]]`. */
export const goText = (value: JsonValue | undefined): string => {
  if (isObject(value)) {
    const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `map[${members.map(([name, member]) => `${name}:${goText(member)}`).join(' ')}]`;
  }
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  return value === null || value === undefined ? '<nil>' : String(value);
};

/** What Go's decoder of JSON calls a value of the wrong kind. */
export const goKind = (value: JsonValue | undefined): string => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return value === null || value === undefined ? 'object' : typeof value;
};
