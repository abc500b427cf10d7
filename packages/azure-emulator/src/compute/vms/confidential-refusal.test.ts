import { describe, expect, test } from '@jest/globals';
import { skuCatalog } from '../sizes/sku-catalog.ts';
import { confidentialRefusal } from './confidential-refusal.ts';
import type { VmBody } from './vm-body.ts';

const catalog = skuCatalog('eastus');

type Parts = {
  readonly size?: string;
  readonly image?: string;
  readonly security?: VmBody['properties']['securityProfile'];
  readonly encryption?: string | undefined;
};

const uefiSettings = { secureBootEnabled: true, vTpmEnabled: true };

/** A confidential VM, unless a part says otherwise. */
const refusalOf = (parts: Parts): string => {
  const {
    size = 'Standard_DC4as_v5',
    image = '2404gen2CVMcontainerd',
    security = { securityType: 'ConfidentialVM', uefiSettings },
  } = parts;
  const securityEncryptionType = 'encryption' in parts ? parts.encryption : 'VMGuestStateOnly';
  const managedDisk = securityEncryptionType === undefined ? {} : { managedDisk: { securityProfile: { securityEncryptionType } } };
  const body: VmBody = {
    location: 'eastus',
    properties: {
      hardwareProfile: { vmSize: size },
      storageProfile: {
        imageReference: { communityGalleryImageId: `/CommunityGalleries/g/images/${image}/versions/1.0.0` },
        osDisk: { createOption: 'FromImage', ...managedDisk },
      },
      networkProfile: { networkInterfaces: [] },
      osProfile: { computerName: 'a', adminUsername: 'a' },
      securityProfile: security,
    },
  };
  const sku = catalog.find(size);
  if (sku === undefined) throw new Error(`${size} is not sold in eastus`);
  return confidentialRefusal(body, sku)?.error.message ?? '';
};

describe('a confidential VM', () => {
  test.each<[string, Parts, string]>([
    ['with what it needs', {}, ''],
    ['with a whole disk encrypted', { encryption: 'DiskWithVMGuestState' }, ''],
    ['of an ordinary size', { size: 'Standard_D4as_v5' }, "'Standard_D4as_v5' is not supported for creation of VMs"],
    ['of an ordinary image', { image: '2404gen2containerd' }, 'image is not supported'],
    ['without an encryption type', { encryption: undefined }, 'securityEncryptionType is required'],
    ['without a TPM', { security: { securityType: 'ConfidentialVM' } }, 'vTpmEnabled must be true'],
    [
      'with a whole disk encrypted without secure boot',
      { encryption: 'DiskWithVMGuestState', security: { securityType: 'ConfidentialVM', uefiSettings: { vTpmEnabled: true } } },
      'secureBootEnabled must be true',
    ],
    [
      'with a whole disk encrypted and the host',
      { encryption: 'DiskWithVMGuestState', security: { securityType: 'ConfidentialVM', uefiSettings, encryptionAtHost: true } },
      'encryptionAtHost is not supported',
    ],
  ])('%s', (_, parts, message) => {
    const refusal = refusalOf(parts);
    if (message === '') expect(refusal).toBe('');
    else expect(refusal).toContain(message);
  });
});

describe('a machine that is no confidential VM', () => {
  const plain = { security: {}, encryption: undefined };
  test('is not made of a size for them', () => {
    expect(refusalOf(plain)).toContain("with '<NULL>' security type");
    expect(refusalOf({ ...plain, size: 'Standard_DC4es_v6' })).toContain("with '<NULL>' security type");
  });

  test('has no encryption type', () => {
    expect(refusalOf({ size: 'Standard_D4as_v5', security: {} })).toContain("only for VMs with securityType 'ConfidentialVM'");
    expect(refusalOf({ ...plain, size: 'Standard_D4as_v5' })).toBe('');
  });
});
