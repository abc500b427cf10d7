import type { ClusterSnapshot, Pod } from '@karpenter/core';
import type { PendingPod } from './bind-plan.ts';

/**
 * Why kube-scheduler left a pod of a sound plan pending. `room`: it put other pods where this one was meant to go, which hold its resources, ports
 * or seats for volumes. `company`: so, and what is in the way is whom the pod, or another one, will not have in its domain. `volume`: the pod
 * shares a claim that had no volume yet, and that was made where the first of them went. `rules`: every node refuses the pod for what never
 * changes, its labels, taints or volumes: then the plan and the binder read the rules differently.
 */
export type WhyPending = 'room' | 'company' | 'volume' | 'rules';

const ROOM = /Insufficient |Too many pods|free ports|max volume count/;
const COMPANY = /pod topology spread constraints(?! \(missing)|pod affinity rules|anti-affinity rules/;
const VOLUME = /PersistentVolume's node affinity/;

const hasUnboundClaim = ({ metadata, spec }: Pod, { storage }: ClusterSnapshot): boolean =>
  (spec.volumes ?? []).some(({ persistentVolumeClaim }) => {
    const claim = storage?.claims.get(`${metadata.namespace ?? 'default'}/${persistentVolumeClaim?.claimName ?? ''}`);
    return claim !== undefined && (claim.spec?.volumeName ?? '') === '';
  });

/** Reads it off what kube-scheduler says about the pod. */
export const whyPending = ({ pod, message }: PendingPod, snapshot: ClusterSnapshot): WhyPending => {
  if (VOLUME.test(message) && hasUnboundClaim(pod, snapshot)) return 'volume';
  if (ROOM.test(message)) return 'room';
  return COMPANY.test(message) ? 'company' : 'rules';
};
