import { amount, flag, list, mapOf, oneOf, record, required, text, whole } from '../../body/shape.ts';

const reference = record('SubResource', { id: required(text(/^\//)) });
const tagsShape = mapOf(text());

const identity = record('VirtualMachineIdentity', {
  type: required(oneOf('UserAssigned', 'SystemAssigned', 'SystemAssigned, UserAssigned', 'None')),
  userAssignedIdentities: mapOf(record('UserAssignedIdentitiesValue', { principalId: text(), clientId: text() })),
});

const imageReference = record('ImageReference', {
  id: text(/^\/subscriptions\//i),
  communityGalleryImageId: text(/^\/CommunityGalleries\//i),
});

const osDisk = record('OSDisk', {
  name: text(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}$/),
  osType: oneOf('Linux', 'Windows'),
  createOption: required(oneOf('FromImage', 'Empty', 'Attach', 'Copy', 'Restore')),
  deleteOption: oneOf('Delete', 'Detach'),
  caching: oneOf('None', 'ReadOnly', 'ReadWrite'),
  diskSizeGB: whole(1, 4095),
  writeAcceleratorEnabled: flag,
  diffDiskSettings: record('DiffDiskSettings', {
    option: required(oneOf('Local')),
    placement: oneOf('CacheDisk', 'ResourceDisk', 'NvmeDisk'),
  }),
  managedDisk: record('ManagedDiskParameters', {
    id: text(/^\//),
    storageAccountType: oneOf('Standard_LRS', 'StandardSSD_LRS', 'StandardSSD_ZRS', 'Premium_LRS', 'Premium_ZRS'),
    diskEncryptionSet: reference,
    securityProfile: record('VMDiskSecurityProfile', {
      securityEncryptionType: oneOf('VMGuestStateOnly', 'DiskWithVMGuestState', 'NonPersistedTPM'),
      diskEncryptionSet: reference,
    }),
  }),
});

const networkProfile = record('NetworkProfile', {
  networkInterfaces: required(
    list(
      record('NetworkInterfaceReference', {
        id: required(text(/^\//)),
        properties: record('NetworkInterfaceReferenceProperties', { primary: flag, deleteOption: oneOf('Delete', 'Detach') }),
      }),
      { atLeast: 1 },
    ),
  ),
});

const osProfile = record('OSProfile', {
  computerName: required(text(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/)),
  adminUsername: required(text(/^[a-z][A-Za-z0-9_-]{0,63}$/)),
  customData: text(),
  allowExtensionOperations: flag,
  linuxConfiguration: record('LinuxConfiguration', {
    disablePasswordAuthentication: flag,
    provisionVMAgent: flag,
    ssh: record('SshConfiguration', {
      publicKeys: list(
        record('SshPublicKey', { path: required(text(/^\/home\/[^/]+\/\.ssh\/authorized_keys$/)), keyData: required(text()) }),
      ),
    }),
  }),
});

const securityProfile = record('SecurityProfile', {
  encryptionAtHost: flag,
  securityType: oneOf('TrustedLaunch', 'ConfidentialVM', 'Standard'),
  uefiSettings: record('UefiSettings', { secureBootEnabled: flag, vTpmEnabled: flag }),
});

/** What a PUT of a virtual machine may hold: the part of the real API that a cluster node has a use for. */
export const vmShape = record('VirtualMachine', {
  /**
   * Names and types come from the URL, whatever a body says. Source: Azure's resource provider contract, `resource-api-reference.md`;
   * Azure/karpenter-provider-azure sends the name with each machine.
   */
  name: text(),
  type: text(),
  location: required(text()),
  zones: list(text(/^[1-9]$/), { atMost: 1 }),
  tags: tagsShape,
  identity,
  properties: required(
    record('VirtualMachineProperties', {
      hardwareProfile: required(record('HardwareProfile', { vmSize: required(text()) })),
      storageProfile: required(
        record('StorageProfile', {
          imageReference: required(imageReference),
          osDisk: required(osDisk),
          diskControllerType: oneOf('SCSI', 'NVMe'),
        }),
      ),
      networkProfile: required(networkProfile),
      osProfile: required(osProfile),
      priority: oneOf('Regular', 'Spot', 'Low'),
      evictionPolicy: oneOf('Delete', 'Deallocate'),
      billingProfile: record('BillingProfile', { maxPrice: amount(-1, 1_000_000) }),
      securityProfile,
      additionalCapabilities: record('AdditionalCapabilities', { ultraSSDEnabled: flag, hibernationEnabled: flag }),
      capacityReservation: record('CapacityReservationProfile', { capacityReservationGroup: reference }),
      proximityPlacementGroup: reference,
    }),
  ),
});

/** What a PATCH may hold here: tags and identities. */
export const vmUpdateShape = record('VirtualMachineUpdate', { tags: tagsShape, identity });

export const extensionShape = record('VirtualMachineExtension', {
  name: text(),
  type: text(),
  location: required(text()),
  tags: tagsShape,
  properties: required(
    record('VirtualMachineExtensionProperties', {
      publisher: required(text()),
      type: required(text()),
      typeHandlerVersion: required(text(/^\d+\.\d+$/)),
      autoUpgradeMinorVersion: flag,
      settings: mapOf(text()),
      protectedSettings: mapOf(text()),
    }),
  ),
});

export const extensionUpdateShape = record('VirtualMachineExtensionUpdate', { tags: tagsShape });
