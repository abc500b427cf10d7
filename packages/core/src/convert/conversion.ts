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

/** Something that a person has to know about a conversion: a field that was left out, added, or now means something else. */
export interface ConversionNote {
  /** Path from the root of the older manifest: `spec.template.spec.kubelet`. */
  readonly field: string;
  readonly note: string;
  /**
   * The converted object cannot be applied before a person has mended this: the API server refuses it, or some of it is
   * lost.
   */
  readonly mustBeMended?: true;
}

export interface Conversion {
  readonly manifest: Manifest;
  /** Empty when everything was carried over and means what it meant. */
  readonly notes: readonly ConversionNote[];
}

export type ManifestShape = 'object' | 'list';

/** How objects of one older kind are carried over. Provider packages bring those of their NodeClasses. */
export interface Converter {
  readonly apiVersion: string;
  readonly kind: string;
  /** Path → what is to be there, if anything is. */
  readonly shapes?: Readonly<Record<string, ManifestShape>>;
  readonly convert: (manifest: Manifest) => Conversion;
}

/** Which NodeClass an older manifest means that does not say its group or kind. */
export interface DefaultNodeClass {
  readonly group: string;
  readonly kind: string;
}

/** A note for each field that the newer version does not have. */
export const leftOut = (path: string, fields: Manifest): readonly ConversionNote[] =>
  Object.keys(fields).map((name) => ({ field: `${path}.${name}`, note: 'left out: the newer version has no such field' }));
