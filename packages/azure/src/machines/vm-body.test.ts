import { describe, expect, test } from '@jest/globals';
import { vmBodyOf, type VmSource } from './vm-body.ts';

const aVmSource = (more: Partial<VmSource> = {}): VmSource => ({
  name: 'aks-general-a',
  location: 'eastus',
  tags: {},
  size: 'Standard_D2s_v3',
  zone: '2',
  isSpot: false,
  spotMaxPricePerHour: undefined,
  imageId: '/CommunityGalleries/g/images/i/versions/1',
  osDiskSizeGB: 128,
  ephemeral: undefined,
  diskEncryptionSetId: undefined,
  nicId: '/nics/aks-general-a',
  identityIds: [],
  adminUsername: 'azureuser',
  sshPublicKey: 'ssh-rsa AAAA',
  customData: 'IyE=',
  security: undefined,
  hasUltraSsd: false,
  capacityReservationGroupId: undefined,
  proximityPlacementGroupId: undefined,
  ...more,
});

describe('the body of a machine', () => {
  test('in a zone, on demand', () => {
    expect(vmBodyOf(aVmSource())).toEqual({
      location: 'eastus',
      tags: {},
      zones: ['2'],
      hardwareProfile: { vmSize: 'Standard_D2s_v3' },
      storageProfile: {
        imageReference: { communityGalleryImageId: '/CommunityGalleries/g/images/i/versions/1' },
        osDisk: { name: 'aks-general-a', diskSizeGB: 128, createOption: 'FromImage', deleteOption: 'Delete' },
      },
      osProfile: {
        adminUsername: 'azureuser',
        computerName: 'aks-general-a',
        customData: 'IyE=',
        linuxConfiguration: {
          disablePasswordAuthentication: true,
          ssh: { publicKeys: [{ path: '/home/azureuser/.ssh/authorized_keys', keyData: 'ssh-rsa AAAA' }] },
        },
      },
      networkProfile: { networkInterfaces: [{ id: '/nics/aks-general-a', primary: true, deleteOption: 'Delete' }] },
      priority: 'Regular',
    });
  });

  test.each<[string, Partial<VmSource>, object]>([
    [
      'spot is evicted by deletion, at any price',
      { isSpot: true },
      { priority: 'Spot', evictionPolicy: 'Delete', billingProfile: { maxPrice: -1 } },
    ],
    ['spot up to a price', { isSpot: true, spotMaxPricePerHour: 0.05 }, { priority: 'Spot', billingProfile: { maxPrice: 0.05 } }],
    [
      'an ephemeral disk is local and read through',
      { ephemeral: 'CacheDisk' },
      { storageProfile: { osDisk: { caching: 'ReadOnly', diffDiskSettings: { option: 'Local', placement: 'CacheDisk' } } } },
    ],
    [
      'an encryption set is on the disk',
      { diskEncryptionSetId: '/des' },
      { storageProfile: { osDisk: { managedDisk: { diskEncryptionSet: { id: '/des' } } } } },
    ],
    [
      'identities are user-assigned',
      { identityIds: ['/me'] },
      { identity: { type: 'UserAssigned', userAssignedIdentities: { '/me': {} } } },
    ],
    [
      'trusted launch',
      { security: { trustedLaunch: { secureBoot: true } } },
      { securityProfile: { securityType: 'TrustedLaunch', uefiSettings: { secureBootEnabled: true, vTpmEnabled: false } } },
    ],
    [
      'a confidential VM encrypts the state of its firmware; the set is that of the disk',
      { security: { confidentialVM: {} }, diskEncryptionSetId: '/des' },
      {
        securityProfile: { securityType: 'ConfidentialVM', uefiSettings: { secureBootEnabled: true, vTpmEnabled: true } },
        storageProfile: {
          osDisk: { managedDisk: { diskEncryptionSet: { id: '/des' }, securityProfile: { securityEncryptionType: 'VMGuestStateOnly' } } },
        },
      },
    ],
    [
      'a confidential VM with its whole disk encrypted; the set is that of its key',
      { security: { confidentialVM: { osDiskEncryption: 'DiskWithVMGuestState' } }, diskEncryptionSetId: '/des' },
      {
        storageProfile: {
          osDisk: {
            managedDisk: {
              securityProfile: { securityEncryptionType: 'DiskWithVMGuestState', diskEncryptionSet: { id: '/des' } },
            },
          },
        },
      },
    ],
    [
      'encryption at host, also when it is refused',
      { security: { encryptionAtHost: false } },
      { securityProfile: { encryptionAtHost: false } },
    ],
    ['ultra disks', { hasUltraSsd: true }, { additionalCapabilities: { ultraSSDEnabled: true } }],
  ])('%s', (_name, more, expected) => {
    expect(vmBodyOf(aVmSource(more))).toMatchObject(expected);
  });

  test('a regional machine names no zone', () => {
    expect(vmBodyOf(aVmSource({ zone: undefined }))).not.toHaveProperty('zones');
  });
});
