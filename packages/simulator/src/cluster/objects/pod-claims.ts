import type { Pod } from './pod.ts';

/** Names of the PersistentVolumeClaims of a pod, in the order of its volumes; an ephemeral volume's claim is named after pod and volume. */
export const claimNamesOf = (pod: Pod): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
    return ephemeral === undefined ? [] : [`${pod.metadata.name ?? ''}-${name}`];
  });
