import type { StorageView } from '../../cluster/index.ts';
import { claimedVolumesOf } from '../../kube/index.ts';
import type { ClaimedVolume, Pod } from '../../kube/index.ts';
import { claimOf, classNameOf } from './claim-of.ts';
import { driverOfProvisioner, driverOfVolume } from './csi-driver.ts';

/** A volume that is attached to the node of a pod; several pods of a node may share it. */
export interface AttachedVolume {
  /** `namespace/name`. */
  readonly claim: string;
  readonly driver: string;
}

const driverBehind = (claimed: ClaimedVolume, storage: StorageView): string | undefined => {
  const { volumes, classes } = storage;
  const claim = claimOf(claimed, storage);
  const volumeName = claim?.spec?.volumeName ?? '';
  if (volumeName === '') {
    const storageClass = claim && classes.get(classNameOf(claim, storage) ?? '');
    return storageClass && driverOfProvisioner(storageClass.provisioner);
  }
  const volume = volumes.get(volumeName);
  return volume && driverOfVolume(volume);
};

/** The volumes that a running pod has attached, whatever has become of its claims since. */
export const attachedVolumesOf = (pod: Pod, storage: StorageView): readonly AttachedVolume[] =>
  claimedVolumesOf(pod).flatMap((claimed) => {
    const driver = driverBehind(claimed, storage);
    return driver === undefined ? [] : [{ claim: claimed.claim, driver }];
  });
