import { isBeingDeleted } from '../../objects/pod.ts';
import type { PersistentVolumeObject, PersistentVolumeClaimObject, StorageClassObject } from '../../objects/volume.ts';
import { matchesAnyTerm } from '../../selectors/node-selector.ts';
import { SELECTED_NODE, type VolumeReader } from '../volumes/volume-views.ts';
import type { NodeSlot } from '../node-slot.ts';
import type { BinderPodClass } from '../pods/pod-class.ts';
import { ADMITTED, type BinderFilter, type FilterRefusals } from './node-filters.ts';

const ZONE_KEYS = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

const isInZone = (volume: PersistentVolumeObject, slot: NodeSlot): boolean =>
  ZONE_KEYS.every((key) => {
    const allowed = volume.metadata.labels?.[key];
    const own = slot.labels[key];
    return allowed === undefined || (own !== undefined && allowed.split('__').includes(own));
  });

const ofVolume = (volume: PersistentVolumeObject, slot: NodeSlot): FilterRefusals => {
  const terms = volume.spec.nodeAffinity?.required?.nodeSelectorTerms;
  if (terms !== undefined && !matchesAnyTerm(terms, slot)) return ["node(s) didn't match PersistentVolume's node affinity"];
  return isInZone(volume, slot) ? ADMITTED : ['node(s) had no available volume zone'];
};

const isAllowed = (storageClass: StorageClassObject, slot: NodeSlot): boolean => {
  const topologies = storageClass.allowedTopologies ?? [];
  const holds = (topology: (typeof topologies)[number]): boolean =>
    (topology.matchLabelExpressions ?? []).every(({ key, values }) => values.includes(slot.labels[key] ?? ''));
  return topologies.length === 0 || topologies.some(holds);
};

const NO_VOLUME = ["node(s) didn't find available persistent volumes to bind"];

/** A claim whose volume is on its way is met on the node alone that it is made for. */
const ofUnbound = ({ metadata, spec }: PersistentVolumeClaimObject, slot: NodeSlot, reader: VolumeReader): FilterRefusals => {
  const storageClass = reader.storageClass(spec.storageClassName ?? '');
  if (storageClass?.volumeBindingMode !== 'WaitForFirstConsumer') return ['pod has unbound immediate PersistentVolumeClaims'];
  const selected = metadata.annotations?.[SELECTED_NODE] ?? slot.name;
  return selected === slot.name && isAllowed(storageClass, slot) ? ADMITTED : NO_VOLUME;
};

const ofClaim = (pod: BinderPodClass, name: string, { slot, reader }: { slot: NodeSlot; reader: VolumeReader }): FilterRefusals => {
  const claim = reader.claim(pod.namespace, name);
  if (claim === undefined) return [`persistentvolumeclaim "${name}" not found`];
  if (isBeingDeleted(claim)) return [`persistentvolumeclaim "${name}" is being deleted`];
  const { volumeName = '' } = claim.spec;
  if (volumeName === '') return ofUnbound(claim, slot, reader);
  const volume = reader.volume(volumeName);
  return volume === undefined ? ['node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'] : ofVolume(volume, slot);
};

/** Bound volumes must be reachable from the node; a claim that waits for its first consumer must be possible there. */
export const volumeTopology =
  (reader: VolumeReader): BinderFilter =>
  (pod, slot) => {
    for (const name of pod.claimNames) {
      const refusals = ofClaim(pod, name, { slot, reader });
      if (refusals.length > 0) return refusals;
    }
    return ADMITTED;
  };
