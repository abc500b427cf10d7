import { annotations as names, labels as labelNames } from '../apis/index.ts';
import { isRecord } from '../base/index.ts';

/** A Kubernetes object as somebody wrote it: of any kind, with fields of any shape. */
export type Manifest = Readonly<Record<string, unknown>>;

/** The object in a field, not copied, or an empty one where there is none: for a list, a text, null or nothing. */
export const asObject = (value: unknown): Manifest => (isRecord(value) ? value : {});

/** The list in a field, or an empty one. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A NodePool of `karpenter.sh/v1`. */
export const nodePoolManifest = (metadata: Manifest, spec: Manifest): Manifest => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata,
  spec,
});

/** The object without the fields that are undefined or hold nothing. */
export const withoutEmpty = (object: Manifest): Manifest =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && !isEmpty(value)));

const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** A copy of the object without these fields; its values are shared. */
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

/**
 * How objects of one older kind are carried over. Provider packages bring those of their NodeClasses. `convert` is pure
 * and gets untrusted JSON: it must not throw, and leaves the given manifest as it was.
 */
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

/** A note for each field that the newer version does not have. `path` is that of the object which holds `fields`. */
export const leftOut = (path: string, fields: Manifest): readonly ConversionNote[] =>
  Object.keys(fields).map((name) => ({ field: `${path}.${name}`, note: 'left out: the newer version has no such field' }));

/** Old annotation → what it is called now. */
export const renamedAnnotations: ReadonlyMap<string, string> = new Map([
  ['karpenter.sh/do-not-evict', names.doNotDisrupt],
  ['karpenter.sh/do-not-consolidate', names.doNotDisrupt],
]);

/** What `karpenter.sh/nodepool` was called. */
export const FORMER_POOL_LABEL = 'karpenter.sh/provisioner-name';

/** Written by controllers and by kubectl, again for each new object. */
const ownedByOthers = [
  /^karpenter\.sh\/(provisioner|nodepool)-hash(-version)?$/,
  /^compatibility\.karpenter\.sh\//,
  /^kubectl\.kubernetes\.io\/last-applied-configuration$/,
];

interface Carried {
  readonly carried: Manifest;
  readonly notes: readonly ConversionNote[];
}

/** Annotations under their present names; those that a controller or kubectl writes are dropped. */
export const carriedAnnotations = (path: string, annotations: unknown): Carried => {
  const kept = Object.entries(asObject(annotations)).filter(([key]) => !ownedByOthers.some((pattern) => pattern.test(key)));
  const renamed = kept.flatMap(([key]) => {
    const now = renamedAnnotations.get(key);
    return now === undefined ? [] : [{ field: `${path}[${key}]`, note: `is ${now} now` }];
  });
  return { carried: Object.fromEntries(kept.map(([key, value]) => [renamedAnnotations.get(key) ?? key, value])), notes: renamed };
};

/** Labels of a pool's nodes without those that Karpenter itself writes, which a template may not set any more. */
export const carriedLabels = (path: string, labels: unknown): Carried => {
  const { [FORMER_POOL_LABEL]: formerPool, ...carried } = asObject(labels);
  const note = `left out: Karpenter writes ${labelNames.nodePool} on every node`;
  return { carried, notes: formerPool === undefined ? [] : [{ field: `${path}[${FORMER_POOL_LABEL}]`, note }] };
};

/**
 * Name, labels and annotations. What the API server and the controllers wrote (uid, owner, finalizers, …) belongs to
 * the old object.
 */
export const carriedMetadata = (metadata: unknown): Carried => {
  const { name, generateName, labels, annotations } = asObject(metadata);
  const { carried, notes } = carriedAnnotations('metadata.annotations', annotations);
  return { carried: withoutEmpty({ name, generateName, labels, annotations: carried }), notes };
};
