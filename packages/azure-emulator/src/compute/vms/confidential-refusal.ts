import { type ArmRefusal, refusal } from '../../faults/arm-error.ts';
import type { RecordedSku } from '../../data/recorded-skus.ts';
import { capabilityOf } from '../sizes/sku-catalog.ts';
import type { VmBody } from './vm-body.ts';
import { imageIdOf } from './vm-entry.ts';

const badRequest = (message: string): ArmRefusal => refusal(400, 'BadRequest', message);

/** Source of the words: Azure/AKS#5618 (`<NULL>`), confidential-containers/cloud-api-adaptor#1742. */
const notOfSize = (sku: RecordedSku, securityType: string): ArmRefusal =>
  badRequest(`The VM size '${sku.name}' is not supported for creation of VMs and Virtual Machine Scale Set with ${securityType}`);

/**
 * What a confidential VM must have beside its size. Source: kubernetes-sigs/cluster-api-provider-azure, `spec.go` of
 * its virtual machines.
 */
const settingRefusal = (body: VmBody, encryptionType: string): ArmRefusal | undefined => {
  const { encryptionAtHost = false, uefiSettings = {} } = body.properties.securityProfile ?? {};
  if (uefiSettings.vTpmEnabled !== true) return badRequest("vTpmEnabled must be true when securityType is 'ConfidentialVM'.");
  if (encryptionType !== 'DiskWithVMGuestState') return undefined;
  if (uefiSettings.secureBootEnabled !== true) return badRequest("secureBootEnabled must be true with 'DiskWithVMGuestState'.");
  return encryptionAtHost ? badRequest("encryptionAtHost is not supported with 'DiskWithVMGuestState'.") : undefined;
};

/** Of a machine that is to be no confidential VM. */
const ordinaryRefusal = (
  sku: RecordedSku,
  securityType: string | undefined,
  encryptionType: string | undefined,
): ArmRefusal | undefined => {
  if (encryptionType !== undefined) return badRequest("securityEncryptionType is only for VMs with securityType 'ConfidentialVM'.");
  const isForConfidential = capabilityOf(sku, 'ConfidentialComputingType') !== undefined;
  return isForConfidential ? notOfSize(sku, `'${securityType ?? '<NULL>'}' security type.`) : undefined;
};

/** Why Azure makes no confidential VM of a body, or no other VM of a size for confidential ones; undefined where it does. */
export const confidentialRefusal = (body: VmBody, sku: RecordedSku): ArmRefusal | undefined => {
  const { securityProfile: { securityType } = {}, storageProfile } = body.properties;
  const encryptionType = storageProfile.osDisk.managedDisk?.securityProfile?.securityEncryptionType;
  if (securityType !== 'ConfidentialVM') return ordinaryRefusal(sku, securityType, encryptionType);
  if (encryptionType === undefined) return badRequest("securityEncryptionType is required when securityType is 'ConfidentialVM'.");
  if (capabilityOf(sku, 'ConfidentialComputingType') === undefined) {
    return notOfSize(
      sku,
      `'ConfidentialVM' security type and managedDisk.securityProfile.securityEncryptionType set as '${encryptionType}'`,
    );
  }
  if (!/\/images\/[^/]*CVM/.test(imageIdOf(body))) return badRequest("The image is not supported for securityType 'ConfidentialVM'.");
  return settingRefusal(body, encryptionType);
};
