import type { StorageView } from '../../cluster/index.ts';
import { claimedVolumesOf } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { ClaimUsers } from './claim-users.ts';

const NONE: readonly string[] = [];

/**
 * Pod → those of its claims, as `namespace/name` in order, that have no volume yet and that other pods use as well. The
 * volume will be created in the zone of the first of these pods to be bound, and the others have to follow. Source:
 * Kubernetes, plugin `VolumeBinding`: the others wait until it is made. How many nodes may mount it does not matter:
 * kube-scheduler asks that of `ReadWriteOncePod` alone. Differs: the original places each of them on its own.
 */
export const unboundClaimsReader =
  ({ claims }: StorageView, users: ClaimUsers): ((pod: Pod) => readonly string[]) =>
  (pod) => {
    if (pod.spec.volumes === undefined) return NONE;
    const isUnbound = (claim: string): boolean =>
      users.isShared(claim) && claims.has(claim) && (claims.get(claim)?.spec?.volumeName ?? '') === '';
    const unbound = claimedVolumesOf(pod)
      .map(({ claim }) => claim)
      .filter(isUnbound);
    return unbound.length === 0 ? NONE : [...new Set(unbound)].sort();
  };
