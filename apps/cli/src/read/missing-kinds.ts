import type { NodePool } from '@karpenter/core';
import type { PersistentVolumeClaim, PodSpec, PodStatus } from '@karpenter/core/internal';
import type { KubeObject } from '@karpenter/runtime';
import { CommandError, COMMAND_EXIT } from '../exit-code.ts';

/** What files say of a pod or a claim; nothing has checked its shape. */
interface Manifest {
  readonly spec?: Partial<PodSpec> & Partial<PersistentVolumeClaim['spec']>;
  readonly status?: Partial<PodStatus>;
}

const specsOf = (objects: readonly KubeObject[], wanted: string): readonly NonNullable<Manifest['spec']>[] =>
  objects.flatMap((object) => {
    const { spec, status } = object as Manifest;
    const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
    return object.kind === wanted && spec !== undefined && !hasEnded ? [spec] : [];
  });

const isOfDaemonSet = ({ kind, metadata }: KubeObject): boolean =>
  kind === 'Pod' && (metadata.ownerReferences ?? []).some((owner) => owner.kind === 'DaemonSet');

/** A kind, and whether other objects refer to it. */
interface NeededKind {
  readonly kind: string;
  readonly plural: string;
  readonly isNeeded: (objects: readonly KubeObject[]) => boolean;
}

const NEEDED_KINDS: readonly NeededKind[] = [
  {
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    isNeeded: (objects) =>
      specsOf(objects, 'Pod').some(({ volumes }) => volumes?.some((volume) => volume.persistentVolumeClaim !== undefined) === true),
  },
  {
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    isNeeded: (objects) => specsOf(objects, 'PersistentVolumeClaim').some(({ volumeName = '' }) => volumeName !== ''),
  },
  { kind: 'DaemonSet', plural: 'daemonsets', isNeeded: (objects) => objects.some(isOfDaemonSet) },
  {
    kind: 'ResourceClaim',
    plural: 'resourceclaims,resourceclaimtemplates,resourceslices,deviceclasses',
    isNeeded: (objects) => specsOf(objects, 'Pod').some(({ resourceClaims = [] }) => resourceClaims.length > 0),
  },
];

/**
 * Refuses files that hold no object of a kind to which others in them refer: who wrote them left the kind out, and
 * answers would be wrong. Errors: CommandError.
 */
export const refuseMissingKinds = (files: readonly string[], objects: readonly KubeObject[]): void => {
  const held = new Set(objects.map(({ kind }) => kind));
  const missing = NEEDED_KINDS.filter(({ kind, isNeeded }) => !held.has(kind) && isNeeded(objects));
  if (missing.length === 0) return;
  const kinds = missing.map(({ kind }) => kind).join(', ');
  const plurals = missing.map(({ plural }) => plural).join(',');
  throw new CommandError(
    COMMAND_EXIT.unreadable,
    `${files.join(', ')}: pods or claims in it refer to objects of these kinds, and it holds none: ${kinds}; ` +
      `add what kubectl get ${plurals} --all-namespaces --output json writes`,
  );
};

/** Classes that NodePools refer to and that the files do not hold: `AKSNodeClass default`. */
export const missingClasses = (objects: readonly KubeObject[]): readonly string[] => {
  const held = new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  const named = objects.flatMap((object) => {
    const ref = object.kind === 'NodePool' ? (object as KubeObject & NodePool).spec.template.spec.nodeClassRef : undefined;
    return ref === undefined ? [] : [`${ref.kind} ${ref.name}`];
  });
  return [...new Set(named)].filter((name) => !held.has(name)).sort();
};
