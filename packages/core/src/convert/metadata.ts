import { annotations as names, labels as labelNames } from '../apis/index.ts';
import { asObject, withoutEmpty } from './conversion.ts';
import type { ConversionNote, Manifest } from './conversion.ts';

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
