import type { ClusterPicture } from '../cluster-picture.ts';
import type { BinderPodClass } from '../pods/pod-class.ts';
import { ADMITTED, type BinderFilter } from './node-filters.ts';
import type { VolumeReader } from '../volumes/volume-views.ts';

const IN_USE = ['node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode'];

const isUsed = (pod: BinderPodClass, name: string, picture: ClusterPicture): boolean => {
  for (const other of picture.placements.keys()) if (other.namespace === pod.namespace && other.claimNames.includes(name)) return true;
  return false;
};

/**
 * A claim for one pod only (`ReadWriteOncePod`) that another pod has keeps this one off every node.
 * Source: Kubernetes, plugin `VolumeRestrictions`. Differs: it drives no pod of lower priority out.
 */
export const volumeRestrictions = (
  pod: BinderPodClass,
  { picture, volumes }: { picture: ClusterPicture; volumes: VolumeReader },
): BinderFilter => {
  const exclusive = pod.claimNames.filter((name) => volumes.claim(pod.namespace, name)?.spec.accessModes?.includes('ReadWriteOncePod'));
  const refusals = exclusive.some((name) => isUsed(pod, name, picture)) ? IN_USE : ADMITTED;
  return () => refusals;
};
