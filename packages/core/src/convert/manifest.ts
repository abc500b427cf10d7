/** A Kubernetes object as somebody wrote it: of any kind, with fields of any shape. */
export type Manifest = Readonly<Record<string, unknown>>;

/** The object in a field, or an empty one where there is none. */
export const asObject = (value: unknown): Manifest =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Manifest) : {};

/** The list in a field, or an empty one. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The object without the fields that are undefined or hold nothing. */
export const withoutEmpty = (object: Manifest): Manifest =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && !isEmpty(value)));

const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** The object without these fields. */
export const without = (object: Manifest, names: readonly string[]): Manifest =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
