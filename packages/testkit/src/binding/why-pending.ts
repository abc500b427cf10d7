import type { ClusterSnapshot, Pod } from '@karpenter/core';
import { namespaceOf } from '@karpenter/core/internal';
import type { PendingPod } from './bind-plan.ts';

/**
 * Why kube-scheduler left a pod of a sound plan pending.
 * - `room`: it bound other pods to the intended node, and they took its resources, ports or volume slots.
 * - `company`: it bound other pods elsewhere than planned, so that affinity, anti-affinity or a spread keeps this one
 * off its node.
 * - `volume`: the pod shares a claim that had no volume yet, and the volume was created where the first of these pods went.
 * - `rules`: every node refuses the pod for labels, taints or volumes that never change: plan and kube-scheduler read
 * the rules differently.
 */
export type WhyPending = 'room' | 'company' | 'volume' | 'rules';

const ROOM = /Insufficient |Too many pods|free ports|max volume count/;
const COMPANY = /pod topology spread constraints(?! \(missing)|pod affinity rules|anti-affinity rules/;
const VOLUME = /PersistentVolume's node affinity/;

const hasUnboundClaim = (pod: Pod, { storage }: ClusterSnapshot): boolean =>
  (pod.spec.volumes ?? []).some(({ persistentVolumeClaim }) => {
    const claim = storage?.claims.get(`${namespaceOf(pod)}/${persistentVolumeClaim?.claimName ?? ''}`);
    return claim !== undefined && (claim.spec?.volumeName ?? '') === '';
  });

/** Reads it off what kube-scheduler says about the pod. */
export const whyPending = ({ pod, message }: PendingPod, snapshot: ClusterSnapshot): WhyPending => {
  if (VOLUME.test(message) && hasUnboundClaim(pod, snapshot)) return 'volume';
  if (ROOM.test(message)) return 'room';
  return COMPANY.test(message) ? 'company' : 'rules';
};
