import type { Pod, Volume } from './pod.ts';

/** A volume of a pod that a PersistentVolumeClaim stands behind, and the claim's name: `namespace/name`. */
export interface ClaimedVolume {
  readonly volume: Volume;
  readonly claim: string;
}

const NONE: readonly ClaimedVolume[] = [];

/**
 * The claims of a pod, in the order of its volumes. An ephemeral volume's claim is named after pod and volume.
 * Source: Kubernetes, "Generic ephemeral volumes", PersistentVolumeClaim naming.
 */
export const claimedVolumesOf = ({ metadata: { name, namespace = 'default' }, spec: { volumes } }: Pod): readonly ClaimedVolume[] => {
  if (volumes === undefined) return NONE;
  return volumes.flatMap((volume) => {
    const { persistentVolumeClaim, ephemeral } = volume;
    if (persistentVolumeClaim !== undefined) return [{ volume, claim: `${namespace}/${persistentVolumeClaim.claimName}` }];
    return ephemeral === undefined ? [] : [{ volume, claim: `${namespace}/${name}-${volume.name}` }];
  });
};
