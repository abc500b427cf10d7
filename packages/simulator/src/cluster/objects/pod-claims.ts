import type { PodObject } from './pod.ts';

/** The claim of an ephemeral volume is named after pod and volume. */
export const ephemeralClaimName = ({ metadata }: PodObject, volumeName: string): string => `${metadata.name ?? ''}-${volumeName}`;

/** Names of the PersistentVolumeClaims of a pod, in the order of its volumes. */
export const claimNamesOf = (pod: PodObject): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
    return ephemeral === undefined ? [] : [ephemeralClaimName(pod, name)];
  });
