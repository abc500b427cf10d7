import { ENCRYPTION_AT_HOST_FEATURE } from '../../behaviours.ts';
import { type ArmRefusal, refusal } from '../../faults/arm-error.ts';
import { knownRefusals } from '../../faults/known-refusals.ts';
import { idKey } from '../../arm-id.ts';
import type { RecordedSku } from '../../data/recorded-skus.ts';
import type { NetworkInterfaces } from '../../network/network-interfaces.ts';
import { onDemandPricesOf } from '../../data/on-demand-prices.ts';
import { locationMismatch } from '../../network/network-refusals.ts';
import { spotPriceOf } from '../../prices/spot-price.ts';
import type { ArmWorld } from '../../world.ts';
import { ephemeralDiskRefusal } from '../disks/ephemeral-disk-refusal.ts';
import { imageRefusal } from '../images/image-refusal.ts';
import { confidentialRefusal } from './confidential-refusal.ts';
import { canDo } from '../sizes/sku-catalog.ts';
import type { CapacityReservations } from '../reservations/capacity-reservations.ts';
import type { VmBody } from './vm-body.ts';
import { vmCapacityTypeOf } from './vm-entry.ts';

/** A new machine to be judged. */
export interface VmPut {
  readonly id: string;
  readonly body: VmBody;
  readonly sku: RecordedSku;
}

interface Judge {
  readonly world: ArmWorld;
  readonly nics: NetworkInterfaces;
  readonly reservations: CapacityReservations;
}

type Check = (put: VmPut, judge: Judge) => ArmRefusal | undefined;

const invalid = (target: string, message: string): ArmRefusal => ({ status: 400, error: { code: 'InvalidParameter', message, target } });

const zoneIsOffered: Check = ({ body, sku }) => {
  const zone = body.zones?.[0];
  if (zone === undefined || sku.locationInfo.some((info) => info.zones.includes(zone))) return undefined;
  return knownRefusals.skuNotAvailable(sku.name, body.location);
};

const priorityIsConsistent: Check = ({ body, sku }) => {
  const { evictionPolicy, billingProfile } = body.properties;
  if (vmCapacityTypeOf(body) === 'spot') {
    return canDo(sku, 'LowPriorityCapable')
      ? undefined
      : refusal(409, 'OperationNotAllowed', `Azure Spot is not supported for this VM size ${sku.name}.`);
  }
  if (evictionPolicy !== undefined) return invalid('evictionPolicy', 'The eviction policy can only be set on Azure Spot Virtual Machines.');
  if (billingProfile !== undefined) return invalid('billingProfile', 'Max price can only be set on Azure Spot Virtual Machines.');
  return undefined;
};

/** -1: up to the price on demand. */
const maxPriceIsEnough: Check = ({ body, sku }) => {
  const { maxPrice = -1 } = body.properties.billingProfile ?? {};
  if (maxPrice === -1) return undefined;
  if (maxPrice <= 0) {
    return invalid('billingProfile.maxPrice', 'The only supported values for max price are -1 or a decimal greater than zero.');
  }
  const price = spotPriceOf(sku.name, body.location, onDemandPricesOf(body.location).get(sku.name) ?? 0);
  return maxPrice >= price ? undefined : knownRefusals.spotPriceAboveMaximum(sku.name, { price, maxPrice });
};

const imageBoots: Check = ({ body, sku }, { world }) => imageRefusal(body, sku, world.images);

const customDataFits: Check = ({ body }) => {
  const data = body.properties.osProfile.customData;
  if (data === undefined || (data.length <= 87_380 && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data))) return undefined;
  return invalid('customData', 'Custom data in OSProfile must be in Base64 encoded format and with a maximum length of 87380 characters.');
};

const someoneCanLogIn: Check = ({ body }) => {
  const linux = body.properties.osProfile.linuxConfiguration;
  if (linux?.disablePasswordAuthentication === true && (linux.ssh?.publicKeys ?? []).length > 0) return undefined;
  return invalid('linuxConfiguration', 'Authentication using either SSH or by user name and password must be enabled in Linux profile.');
};

const hostEncryptionIsOffered: Check = ({ body, sku }, { world }) => {
  if (body.properties.securityProfile?.encryptionAtHost !== true) return undefined;
  if (world.behaviours.missingFeatures.includes(ENCRYPTION_AT_HOST_FEATURE)) {
    return invalid(
      'securityProfile.encryptionAtHost',
      `The property 'securityProfile.encryptionAtHost' is not valid because the '${ENCRYPTION_AT_HOST_FEATURE}' feature is not enabled for this subscription.`,
    );
  }
  if (canDo(sku, 'EncryptionAtHostSupported')) return undefined;
  return invalid(
    'securityProfile.encryptionAtHost',
    `The property 'securityProfile.encryptionAtHost' is not valid because the VM size ${sku.name} does not support it.`,
  );
};

const trustedLaunchIsOffered: Check = ({ body, sku }) => {
  const security = body.properties.securityProfile;
  if (security?.uefiSettings && security.securityType === undefined) {
    return invalid('securityProfile.uefiSettings', 'uefiSettings can only be set when securityType is TrustedLaunch or ConfidentialVM.');
  }
  if (security?.securityType !== 'TrustedLaunch' || !canDo(sku, 'TrustedLaunchDisabled')) return undefined;
  return refusal(
    400,
    'BadRequest',
    `The VM size '${sku.name}' is not supported for creation of VMs and Virtual Machine Scale Set with 'TrustedLaunch' security type.`,
  );
};

const ultraDisksAreOffered: Check = ({ body, sku }) => {
  if (body.properties.additionalCapabilities?.ultraSSDEnabled !== true || canDo(sku, 'UltraSSDAvailable')) return undefined;
  return invalid(
    'additionalCapabilities.ultraSSDEnabled',
    `The VM size ${sku.name} does not support UltraSSD disks in location ${body.location}.`,
  );
};

const encryptionSetExists: Check = ({ body }, { world }) => {
  const { diskEncryptionSet, securityProfile } = body.properties.storageProfile.osDisk.managedDisk ?? {};
  const set = diskEncryptionSet ?? securityProfile?.diskEncryptionSet;
  if (set === undefined || idKey(set.id) === idKey(world.account.diskEncryptionSetId)) return undefined;
  return refusal(404, 'NotFound', `Disk encryption set ${set.id} was not found.`);
};

/** Source: Azure, "On-demand capacity reservation", limitations: no proximity placement groups. */
const placementGroupTakesIt: Check = ({ body }, { world }) => {
  const { proximityPlacementGroup: group, capacityReservation } = body.properties;
  if (group === undefined) return undefined;
  if (idKey(group.id) !== idKey(world.account.proximityPlacementGroupId)) {
    return refusal(404, 'NotFound', `Proximity placement group ${group.id} was not found.`);
  }
  if (capacityReservation === undefined) return undefined;
  return invalid('proximityPlacementGroup', 'A VM with a capacity reservation cannot be in a proximity placement group.');
};

const interfacesAreFree: Check = ({ id, body, sku }, { nics }) => {
  for (const reference of body.properties.networkProfile.networkInterfaces) {
    const refused = nics.attachRefusal(reference.id, id);
    if (refused) return refused;
    const accelerated = nics.find(reference.id)?.body.properties.enableAcceleratedNetworking === true;
    if (accelerated && !canDo(sku, 'AcceleratedNetworkingEnabled')) {
      return refusal(
        400,
        'VMSizeIsNotPermittedToEnableAcceleratedNetworking',
        `VM size ${sku.name} is not permitted to enable accelerated networking.`,
      );
    }
  }
  return undefined;
};

const CHECKS: readonly Check[] = [
  zoneIsOffered,
  priorityIsConsistent,
  maxPriceIsEnough,
  imageBoots,
  ({ body, sku }) => ephemeralDiskRefusal(body, sku),
  customDataFits,
  someoneCanLogIn,
  hostEncryptionIsOffered,
  trustedLaunchIsOffered,
  ({ body, sku }) => confidentialRefusal(body, sku),
  ultraDisksAreOffered,
  encryptionSetExists,
  placementGroupTakesIt,
  ({ body }, { reservations }) => reservations.refusalOf(body),
  interfacesAreFree,
];

/** Why Azure does not accept a new machine, or undefined. Quota is not among the reasons. */
export const vmRefusal = (put: VmPut, judge: Judge): ArmRefusal | undefined => {
  const { location } = put.body;
  if (location.toLowerCase() !== judge.world.account.location) return locationMismatch(location, judge.world.account.location);
  for (const check of CHECKS) {
    const refused = check(put, judge);
    if (refused) return refused;
  }
  return undefined;
};
