import type { StorageView } from '../../cluster/index.ts';
import type { ClaimedVolume, PersistentVolumeClaim } from '../../kube/index.ts';

/** The claim behind a volume of a pod; of an ephemeral one as the pod's own template says, until its controller has made it. */
export const claimOf = ({ volume: { ephemeral }, claim }: ClaimedVolume, { claims }: StorageView): PersistentVolumeClaim | undefined => {
  const found = claims.get(claim);
  if (found !== undefined || ephemeral === undefined) return found;
  return { metadata: { name: claim.slice(claim.indexOf('/') + 1) }, spec: ephemeral.volumeClaimTemplate?.spec ?? {} };
};
