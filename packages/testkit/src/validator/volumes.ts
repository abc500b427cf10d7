import type { Pod } from '@karpenter/core';
import { namespaceOf, namespacedNameOf } from '@karpenter/core/internal';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass, StorageView } from '@karpenter/core/internal';
import { meetsExpression } from './node-labels.ts';
import type { PlainLabels } from './node-labels.ts';

const NOTHING: StorageView = { claims: new Map(), volumes: new Map(), classes: new Map() };
const ZONES = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/** Names of the claims of a pod, each once. */
const claimsOf = (pod: Pod): readonly string[] => {
  const names = new Set<string>();
  for (const { name, persistentVolumeClaim: claim, ephemeral } of pod.spec.volumes ?? []) {
    if (claim !== undefined) names.add(`${namespaceOf(pod)}/${claim.claimName}`);
    else if (ephemeral !== undefined) names.add(`${namespacedNameOf(pod.metadata)}-${name}`);
  }
  return [...names];
};

/** Of an ephemeral volume the claim is as good as there: it is made when the pod is. */
const claimNamed = (name: string, pod: Pod, storage: StorageView): PersistentVolumeClaim | undefined => {
  const found = storage.claims.get(name);
  if (found !== undefined) return found;
  const own = pod.spec.volumes?.find((volume) => volume.ephemeral !== undefined && name.endsWith(`/${pod.metadata.name}-${volume.name}`));
  return own && { metadata: { name }, spec: own.ephemeral?.volumeClaimTemplate?.spec ?? {} };
};

const reachesVolume = ({ metadata, spec }: PersistentVolume, labels: PlainLabels): boolean => {
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms;
  const isNodesOwn = spec?.local !== undefined || spec?.hostPath !== undefined;
  const meets = (term: NonNullable<typeof terms>[number]): boolean =>
    (term.matchExpressions ?? []).every((each) => (isNodesOwn && each.key === 'kubernetes.io/hostname') || meetsExpression(each, labels));
  const isInZone = ZONES.every((key) => metadata.labels?.[key]?.split('__').includes(labels[key] ?? '') ?? true);
  return isInZone && (terms === undefined || terms.some(meets));
};

const reachesBound = (volume: PersistentVolume | undefined, labels: PlainLabels): boolean =>
  volume !== undefined && volume.metadata.deletionTimestamp === undefined && reachesVolume(volume, labels);

const mayBeMade = (storageClass: StorageClass | undefined, labels: PlainLabels): boolean => {
  if (storageClass?.volumeBindingMode !== 'WaitForFirstConsumer') return false;
  const { allowedTopologies = [] } = storageClass;
  const holds = ({ matchLabelExpressions = [] }: (typeof allowedTopologies)[number]): boolean =>
    matchLabelExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''));
  return allowedTopologies.length === 0 || allowedTopologies.some(holds);
};

const isUsable = ({ metadata, status }: PersistentVolumeClaim): boolean =>
  metadata.deletionTimestamp === undefined && status?.phase !== 'Lost';

const reachesClaim = (claim: PersistentVolumeClaim | undefined, labels: PlainLabels, { volumes, classes }: StorageView): boolean => {
  if (claim === undefined || !isUsable(claim)) return false;
  const { volumeName = '', storageClassName = '' } = claim.spec ?? {};
  return volumeName === '' ? mayBeMade(classes.get(storageClassName), labels) : reachesBound(volumes.get(volumeName), labels);
};

/**
 * Whether a node with these labels can have every volume of the pod. Source: Kubernetes, plugins `VolumeBinding` and
 * `VolumeZone`.
 */
export const reachesVolumes = (pod: Pod, labels: PlainLabels, storage: StorageView = NOTHING): boolean =>
  claimsOf(pod).every((name) => reachesClaim(claimNamed(name, pod, storage), labels, storage));

const driverOfVolume = (volume: PersistentVolume['spec']): string | undefined =>
  volume?.azureDisk === undefined ? volume?.csi?.driver : 'disk.csi.azure.com';

const driverOf = (name: string, pod: Pod, { volumes, classes, claims }: StorageView): string | undefined => {
  const { volumeName = '', storageClassName = '' } = claimNamed(name, pod, { volumes, classes, claims })?.spec ?? {};
  return volumeName === '' ? classes.get(storageClassName)?.provisioner : driverOfVolume(volumes.get(volumeName)?.spec);
};

/** Driver → distinct claims of the pods. */
const attachedBy = (pods: readonly Pod[], storage: StorageView): ReadonlyMap<string, ReadonlySet<string>> => {
  const attached = new Map<string, Set<string>>();
  for (const pod of pods) {
    for (const name of claimsOf(pod)) {
      const driver = driverOf(name, pod, storage);
      if (driver !== undefined) attached.set(driver, (attached.get(driver) ?? new Set()).add(name));
    }
  }
  return attached;
};

/** Pods that come to a node, those that are there, and what its drivers attach at most. */
export interface Attaching {
  readonly coming: readonly Pod[];
  readonly there: readonly Pod[];
  readonly limits: Readonly<Record<string, number>>;
}

/**
 * A driver that would attach more, and too many; undefined when there is none. Source: Kubernetes, plugin
 * `NodeVolumeLimits`.
 */
export const overfullDriver = ({ coming, there, limits }: Attaching, storage: StorageView = NOTHING): string | undefined => {
  const before = attachedBy(there, storage);
  const after = attachedBy([...there, ...coming], storage);
  return Object.keys(limits).find((driver) => {
    const count = after.get(driver)?.size ?? 0;
    return count > (limits[driver] ?? 0) && count > (before.get(driver)?.size ?? 0);
  });
};

/**
 * A `ReadWriteOncePod` claim that one of the pods would use though another does, one that runs or another of them.
 * Source: Kubernetes, plugin `VolumeRestrictions`.
 */
export const contestedClaim = (coming: readonly Pod[], running: readonly Pod[], { claims }: StorageView = NOTHING): string | undefined => {
  const isExclusive = (name: string): boolean => claims.get(name)?.spec?.accessModes?.includes('ReadWriteOncePod') === true;
  const used = new Set(running.flatMap(claimsOf).filter(isExclusive));
  for (const name of coming.flatMap(claimsOf).filter(isExclusive)) {
    if (used.has(name)) return name;
    used.add(name);
  }
  return undefined;
};
