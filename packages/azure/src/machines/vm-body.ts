import type { OSDisk, VirtualMachine } from '@azure/arm-compute';
import type { AKSNodeClassSpec } from '../apis/index.ts';
import type { EphemeralPlacement } from '../catalog/index.ts';

/** All that a machine depends on, as values. */
export interface VmSource {
  readonly name: string;
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly size: string;
  /** The logical zone (`1`); absent: anywhere in the region. */
  readonly zone: string | undefined;
  readonly isSpot: boolean;
  /** USD an hour for a spot machine; absent: up to its price on demand. */
  readonly spotMaxPricePerHour: number | undefined;
  /** A version in a gallery of the community, or the ARM id of one in a shared gallery. */
  readonly imageId: string;
  readonly osDiskSizeGB: number;
  /** Where the OS disk fits on the machine itself. */
  readonly ephemeral: EphemeralPlacement['placement'] | undefined;
  readonly diskEncryptionSetId: string | undefined;
  readonly nicId: string;
  readonly identityIds: readonly string[];
  readonly adminUsername: string;
  readonly sshPublicKey: string;
  readonly customData: string;
  readonly security: AKSNodeClassSpec['security'];
  readonly hasUltraSsd: boolean;
  /** ARM id of the group whose reservation it is made out of; absent: it is bought. */
  readonly capacityReservationGroupId: string | undefined;
  readonly proximityPlacementGroupId: string | undefined;
}

const identityOf = (ids: readonly string[]): Pick<VirtualMachine, 'identity'> =>
  ids.length === 0 ? {} : { identity: { type: 'UserAssigned', userAssignedIdentities: Object.fromEntries(ids.map((id) => [id, {}])) } };

/** A key of a machine that encrypts the whole disk may be the customer's; its set stands beside it then. */
const managedDiskOf = ({ diskEncryptionSetId, security }: VmSource): Pick<OSDisk, 'managedDisk'> => {
  const set = diskEncryptionSetId === undefined ? {} : { diskEncryptionSet: { id: diskEncryptionSetId } };
  const { confidentialVM } = security ?? {};
  if (confidentialVM === undefined) return diskEncryptionSetId === undefined ? {} : { managedDisk: set };
  const { osDiskEncryption: securityEncryptionType = 'VMGuestStateOnly' } = confidentialVM;
  const isWhole = securityEncryptionType === 'DiskWithVMGuestState';
  return { managedDisk: { ...(!isWhole && set), securityProfile: { securityEncryptionType, ...(isWhole && set) } } };
};

const storageOf = (source: VmSource): NonNullable<VirtualMachine['storageProfile']> => ({
  imageReference: source.imageId.startsWith('/CommunityGalleries/') ? { communityGalleryImageId: source.imageId } : { id: source.imageId },
  osDisk: {
    name: source.name,
    diskSizeGB: source.osDiskSizeGB,
    createOption: 'FromImage',
    deleteOption: 'Delete',
    ...(source.ephemeral !== undefined && {
      caching: 'ReadOnly' as const,
      diffDiskSettings: { option: 'Local', placement: source.ephemeral },
    }),
    ...managedDiskOf(source),
  },
});

const osOf = ({ name, adminUsername, sshPublicKey, customData }: VmSource): NonNullable<VirtualMachine['osProfile']> => ({
  adminUsername,
  computerName: name,
  customData,
  linuxConfiguration: {
    disablePasswordAuthentication: true,
    ssh: { publicKeys: [{ path: `/home/${adminUsername}/.ssh/authorized_keys`, keyData: sshPublicKey }] },
  },
});

type TrustedLaunch = NonNullable<NonNullable<AKSNodeClassSpec['security']>['trustedLaunch']>;

const trustedLaunchOf = ({ secureBoot = false, vtpm = false }: TrustedLaunch): VirtualMachine['securityProfile'] =>
  secureBoot || vtpm ? { securityType: 'TrustedLaunch', uefiSettings: { secureBootEnabled: secureBoot, vTpmEnabled: vtpm } } : {};

/** Azure makes no confidential VM without a TPM, and encrypts no whole disk without secure boot. */
const CONFIDENTIAL: VirtualMachine['securityProfile'] = {
  securityType: 'ConfidentialVM',
  uefiSettings: { secureBootEnabled: true, vTpmEnabled: true },
};

const securityOf = ({
  encryptionAtHost,
  trustedLaunch = {},
  confidentialVM,
}: NonNullable<AKSNodeClassSpec['security']>): Pick<VirtualMachine, 'securityProfile'> => {
  const profile = {
    ...(encryptionAtHost !== undefined && { encryptionAtHost }),
    ...(confidentialVM === undefined ? trustedLaunchOf(trustedLaunch) : CONFIDENTIAL),
  };
  return Object.keys(profile).length === 0 ? {} : { securityProfile: profile };
};

const NO_MAXIMUM = -1;

const purchaseOf = ({
  isSpot,
  spotMaxPricePerHour = NO_MAXIMUM,
}: VmSource): Pick<VirtualMachine, 'priority' | 'evictionPolicy' | 'billingProfile'> =>
  isSpot ? { priority: 'Spot', evictionPolicy: 'Delete', billingProfile: { maxPrice: spotMaxPricePerHour } } : { priority: 'Regular' };

/** What is PUT for a machine. Its interface and its disk go when it goes. */
export const vmBodyOf = (source: VmSource): VirtualMachine => ({
  location: source.location,
  tags: { ...source.tags },
  ...(source.zone !== undefined && { zones: [source.zone] }),
  ...identityOf(source.identityIds),
  hardwareProfile: { vmSize: source.size },
  storageProfile: storageOf(source),
  osProfile: osOf(source),
  networkProfile: { networkInterfaces: [{ id: source.nicId, primary: true, deleteOption: 'Delete' }] },
  ...purchaseOf(source),
  ...securityOf(source.security ?? {}),
  ...(source.hasUltraSsd && { additionalCapabilities: { ultraSSDEnabled: true } }),
  ...(source.proximityPlacementGroupId !== undefined && { proximityPlacementGroup: { id: source.proximityPlacementGroupId } }),
  ...(source.capacityReservationGroupId !== undefined && {
    capacityReservation: { capacityReservationGroup: { id: source.capacityReservationGroupId } },
  }),
});
