import { compareText } from '../../base/index.ts';
import type { StorageView } from '../../cluster/index.ts';
import type { ClaimedVolume, PersistentVolumeClaim } from '../../kube/index.ts';

const DEFAULT = 'storageclass.kubernetes.io/is-default-class';

/**
 * The name of the class that a claim without volume asks for: where it names none, the cluster's default, the newest if
 * there are several. Undefined: there is none, or an empty text says that none is meant.
 */
export const classNameOf = ({ spec }: PersistentVolumeClaim, { classes }: StorageView): string | undefined => {
  if (spec?.storageClassName !== undefined) return spec.storageClassName === '' ? undefined : spec.storageClassName;
  const defaults = [...classes.values()].map(({ metadata }) => metadata).filter(({ annotations }) => annotations?.[DEFAULT] === 'true');
  return defaults.sort((a, b) => compareText(b.creationTimestamp ?? '', a.creationTimestamp ?? '') || compareText(a.name, b.name))[0]?.name;
};

/**
 * The claim behind a volume of a pod; of an ephemeral one as the pod's own template says, until its controller has made it.
 */
export const claimOf = ({ volume: { ephemeral }, claim }: ClaimedVolume, { claims }: StorageView): PersistentVolumeClaim | undefined => {
  const found = claims.get(claim);
  if (found !== undefined || ephemeral === undefined) return found;
  return { metadata: { name: claim.slice(claim.indexOf('/') + 1) }, spec: ephemeral.volumeClaimTemplate?.spec ?? {} };
};
