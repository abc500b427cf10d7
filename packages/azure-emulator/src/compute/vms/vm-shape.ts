import { amount, flag, list, mapOf, oneOfTexts, record, requiredMember, text, whole } from '../../body/shape.ts';

const reference = record('SubResource', { id: requiredMember(text(/^\//)) });
const tagsShape = mapOf(text());

const identity = record('VirtualMachineIdentity', {
  type: requiredMember(oneOfTexts('UserAssigned', 'SystemAssigned', 'SystemAssigned, UserAssigned', 'None')),
  userAssignedIdentities: mapOf(record('UserAssignedIdentitiesValue', { principalId: text(), clientId: text() })),
});

const imageReference = record('ImageReference', {
  id: text(/^\/subscriptions\//i),
  communityGalleryImageId: text(/^\/CommunityGalleries\//i),
});

const osDisk = record('OSDisk', {
  name: text(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}$/),
  osType: oneOfTexts('Linux', 'Windows'),
  createOption: requiredMember(oneOfTexts('FromImage', 'Empty', 'Attach', 'Copy', 'Restore')),
  deleteOption: oneOfTexts('Delete', 'Detach'),
  caching: oneOfTexts('None', 'ReadOnly', 'ReadWrite'),
  diskSizeGB: whole(1, 4095),
  writeAcceleratorEnabled: flag,
  diffDiskSettings: record('DiffDiskSettings', {
    option: requiredMember(oneOfTexts('Local')),
    placement: oneOfTexts('CacheDisk', 'ResourceDisk', 'NvmeDisk'),
  }),
  managedDisk: record('ManagedDiskParameters', {
    id: text(/^\//),
    storageAccountType: oneOfTexts('Standard_LRS', 'StandardSSD_LRS', 'StandardSSD_ZRS', 'Premium_LRS', 'Premium_ZRS'),
    diskEncryptionSet: reference,
    securityProfile: record('VMDiskSecurityProfile', {
      securityEncryptionType: oneOfTexts('VMGuestStateOnly', 'DiskWithVMGuestState', 'NonPersistedTPM'),
      diskEncryptionSet: reference,
    }),
  }),
});

const networkProfile = record('NetworkProfile', {
  networkInterfaces: requiredMember(
    list(
      record('NetworkInterfaceReference', {
        id: requiredMember(text(/^\//)),
        properties: record('NetworkInterfaceReferenceProperties', { primary: flag, deleteOption: oneOfTexts('Delete', 'Detach') }),
      }),
      { atLeast: 1 },
    ),
  ),
});

const osProfile = record('OSProfile', {
  computerName: requiredMember(text(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/)),
  adminUsername: requiredMember(text(/^[a-z][A-Za-z0-9_-]{0,63}$/)),
  customData: text(),
  allowExtensionOperations: flag,
  linuxConfiguration: record('LinuxConfiguration', {
    disablePasswordAuthentication: flag,
    provisionVMAgent: flag,
    ssh: record('SshConfiguration', {
      publicKeys: list(
        record('SshPublicKey', { path: requiredMember(text(/^\/home\/[^/]+\/\.ssh\/authorized_keys$/)), keyData: requiredMember(text()) }),
      ),
    }),
  }),
});

const securityProfile = record('SecurityProfile', {
  encryptionAtHost: flag,
  securityType: oneOfTexts('TrustedLaunch', 'ConfidentialVM', 'Standard'),
  uefiSettings: record('UefiSettings', { secureBootEnabled: flag, vTpmEnabled: flag }),
});

/** What a PUT of a virtual machine may hold: the part of the real API that a cluster node has a use for. */
export const vmShape = record('VirtualMachine', {
  /**
   * Names and types come from the URL, whatever a body says. Source: Azure's resource provider contract,
   * `resource-api-reference.md`; Azure/karpenter-provider-azure sends the name with each machine.
   */
  name: text(),
  type: text(),
  location: requiredMember(text()),
  zones: list(text(/^[1-9]$/), { atMost: 1 }),
  tags: tagsShape,
  identity,
  properties: requiredMember(
    record('VirtualMachineProperties', {
      hardwareProfile: requiredMember(record('HardwareProfile', { vmSize: requiredMember(text()) })),
      storageProfile: requiredMember(
        record('StorageProfile', {
          imageReference: requiredMember(imageReference),
          osDisk: requiredMember(osDisk),
          diskControllerType: oneOfTexts('SCSI', 'NVMe'),
        }),
      ),
      networkProfile: requiredMember(networkProfile),
      osProfile: requiredMember(osProfile),
      priority: oneOfTexts('Regular', 'Spot', 'Low'),
      evictionPolicy: oneOfTexts('Delete', 'Deallocate'),
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
  location: requiredMember(text()),
  tags: tagsShape,
  properties: requiredMember(
    record('VirtualMachineExtensionProperties', {
      publisher: requiredMember(text()),
      type: requiredMember(text()),
      typeHandlerVersion: requiredMember(text(/^\d+\.\d+$/)),
      autoUpgradeMinorVersion: flag,
      settings: mapOf(text()),
      protectedSettings: mapOf(text()),
    }),
  ),
});

export const extensionUpdateShape = record('VirtualMachineExtensionUpdate', { tags: tagsShape });
