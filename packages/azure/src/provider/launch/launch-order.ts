import { isDualStack } from '../../apis/index.ts';
import { isManagedVnet } from '../../arm/calls/subnet-id.ts';
import { osDiskSizeGBOf } from '../../catalog/index.ts';
import { classHashTagOf, type LaunchOrder, machineNameOf, nicBodyOf, nicIdOf, nodeAddressesOf, vmBodyOf } from '../../machines/index.ts';
import { logicalZoneOf } from '../../zones/index.ts';
import { type LaunchSource, launchTagsOf, placementOf, subnetOf, wantsUltraSsd } from './launch-source.ts';

const nicOf = (source: LaunchSource, name: string, tags: Readonly<Record<string, string>>): LaunchOrder['nic'] => {
  const { options, sku, securityGroup } = source;
  const isManaged = isManagedVnet(subnetOf(source), options.nodeResourceGroup);
  return nicBodyOf({
    name,
    location: options.location,
    tags,
    subnetId: source.subnetId,
    backendPools: source.backendPools,
    isDualStack: isDualStack(source.nodeClass),
    isAccelerated: sku.has('AcceleratedNetworkingEnabled'),
    networkSecurityGroupId: isManaged ? undefined : securityGroup.id,
    podAddresses: nodeAddressesOf(source.nodeClass, options) - 1,
  });
};

/** The two bodies that make a machine of a claim. The same source and user data give the same bytes. */
export const launchOrderOf = (source: LaunchSource, customData: string): LaunchOrder => {
  const { options, claim, choice, nodeClass } = source;
  const name = machineNameOf(claim.metadata.name);
  const tags = launchTagsOf(source);
  const vm = vmBodyOf({
    name,
    location: options.location,
    tags: { ...tags, ...classHashTagOf(nodeClass) },
    size: choice.type.name,
    zone: logicalZoneOf(choice.offering.zone),
    isSpot: choice.offering.capacityType === 'spot',
    spotMaxPricePerHour: options.spotMaxPricePerHour,
    imageId: source.image.id,
    osDiskSizeGB: osDiskSizeGBOf(nodeClass),
    ephemeral: placementOf(source),
    diskEncryptionSetId: nodeClass.spec?.diskEncryptionSetID ?? options.diskEncryptionSetId,
    proximityPlacementGroupId: nodeClass.spec?.proximityPlacementGroupID,
    nicId: nicIdOf(options, name),
    identityIds: options.nodeIdentities,
    adminUsername: options.linuxAdminUsername,
    sshPublicKey: options.sshPublicKey,
    customData,
    security: nodeClass.spec?.security,
    hasUltraSsd: wantsUltraSsd(source.requirements),
    capacityReservationGroupId: source.reservation?.groupId,
  });
  return { name, nic: nicOf(source, name, tags), vm };
};
