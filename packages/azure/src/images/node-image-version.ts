import type { ImageDefinition } from './image-definition.ts';

/**
 * An image of the shared galleries as AKS names it on machines: `AKSUbuntu-2204gen2containerd-202611.03.0`. Undefined
 * for images of the community, which AKS gives to no machine.
 */
export const nodeImageNameOf = (imageId: string): string | undefined => {
  const [, gallery, definition, version] =
    /^\/subscriptions\/.+\/galleries\/([^/]+)\/images\/([^/]+)\/versions\/([^/]+)$/i.exec(imageId) ?? [];
  return gallery === undefined || definition === undefined || version === undefined ? undefined : `${gallery}-${definition}-${version}`;
};

/** `1.34.2` of `v1.34.2-hotfix.1`: the suffix distinguishes builds, and the builds of API server and kubelets may differ. */
export const releaseOf = (version: string): string => version.replace(/^v/, '').split(/[+-]/, 1)[0] ?? '';

/** An image that AKS itself would give to a node, as AKS lists it: the newest versions in its shared galleries. */
export interface NodeImageVersion {
  /** The gallery. */
  readonly os: string;
  /** The definition. */
  readonly sku: string;
  /** `202512.06.0` */
  readonly version: string;
}

/**
 * Negative when `a` is older: part by part as numbers; of two that begin alike the longer is newer; what is no number
 * is older.
 */
const compare = (a: string, b: string): number => {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  if (left.some(Number.isNaN) || right.some(Number.isNaN)) return Number(right.some(Number.isNaN)) - Number(left.some(Number.isNaN));
  const at = left.findIndex((part, index) => part !== right[index]);
  return at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
};

/** The newest version of a definition; undefined when AKS lists none. */
export const newestNodeImage = (listed: readonly NodeImageVersion[], { gallery, name }: ImageDefinition): string | undefined => {
  const versions = listed.filter(({ os, sku }) => os === gallery && sku === name).map(({ version }) => version);
  return versions.toSorted(compare).at(-1);
};
