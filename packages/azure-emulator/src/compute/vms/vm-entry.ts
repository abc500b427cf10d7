import { nameOf } from '../../arm-id.ts';
import type { ArmErrorBody } from '../../faults/arm-error.ts';
import type { RecordedSku } from '../../data/recorded-skus.ts';
import type { ArmResource } from '../../graph/write-log.ts';
import { capabilityNumberOf, capabilityOf } from '../sizes/sku-catalog.ts';
import type { QuotaClaim } from '../quota-ledger.ts';
import type { VmBody } from './vm-body.ts';
import type { VmCapacityType, VmProvisioningState, VmRecord } from './vm-record.ts';

/** A virtual machine inside the emulator. */
export interface VmEntry {
  readonly id: string;
  readonly vmId: string;
  readonly name: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly createdMs: number;
  readonly sku: RecordedSku;
  readonly claim: QuotaClaim;
  body: VmBody;
  state: VmProvisioningState;
  /** Booted: a kubelet may be at work on it. */
  running: boolean;
  operationId: string;
  /** Why its last operation failed. */
  failure: ArmErrorBody | undefined;
  privateIpAddress: string | undefined;
  ipv6Address: string | undefined;
  readonly extensions: Map<string, VmExtension>;
}

export interface VmExtension {
  readonly id: string;
  readonly name: string;
  body: {
    readonly location: string;
    readonly tags?: Readonly<Record<string, string>>;
    readonly properties: Readonly<Record<string, unknown>>;
  };
  state: VmProvisioningState;
}

export const vmCapacityTypeOf = (body: VmBody): VmCapacityType =>
  body.properties.priority === 'Spot' || body.properties.priority === 'Low' ? 'spot' : 'on-demand';

export const imageIdOf = (body: VmBody): string => {
  const { id, communityGalleryImageId } = body.properties.storageProfile.imageReference;
  return id ?? communityGalleryImageId ?? '';
};

type DiskOwner = Pick<VmEntry, 'id' | 'name' | 'body'>;

const osDiskNameOf = ({ name, body }: DiskOwner): string => body.properties.storageProfile.osDisk.name ?? `${name}_OsDisk_1`;

/** The id of the managed disk that a machine's operating system is on: it stands beside the machine. */
export const osDiskIdOf = (vm: DiskOwner): string =>
  `${vm.id.slice(0, vm.id.toLowerCase().lastIndexOf('/virtualmachines/'))}/disks/${osDiskNameOf(vm)}`;

/** Without what ARM keeps to itself once it was written: custom data and protected settings. */
export const extensionResource = (extension: VmExtension): object => {
  const { protectedSettings: _kept, ...properties } = extension.body.properties;
  return {
    ...extension.body,
    id: extension.id,
    name: extension.name,
    type: 'Microsoft.Compute/virtualMachines/extensions',
    properties: { ...properties, provisioningState: extension.state },
  };
};

const identityOf = (vm: VmEntry): object | undefined => {
  const identity = vm.body.identity;
  if (identity === undefined) return undefined;
  const assigned = Object.keys(identity.userAssignedIdentities ?? {});
  return {
    ...identity,
    userAssignedIdentities: Object.fromEntries(assigned.map((id) => [id, { principalId: vm.vmId, clientId: vm.vmId }])),
  };
};

const storageProfileOf = (vm: VmEntry): object => {
  const { storageProfile } = vm.body.properties;
  return {
    ...storageProfile,
    imageReference: { ...storageProfile.imageReference, exactVersion: nameOf(imageIdOf(vm.body)) },
    osDisk: {
      osType: 'Linux',
      caching: 'ReadWrite',
      ...storageProfile.osDisk,
      name: osDiskNameOf(vm),
      managedDisk: { storageAccountType: 'Premium_LRS', ...storageProfile.osDisk.managedDisk, id: osDiskIdOf(vm) },
    },
    dataDisks: [],
  };
};

/** The machine as ARM and Resource Graph show it. */
export const vmResource = (vm: VmEntry): ArmResource => {
  const { osProfile, ...properties } = vm.body.properties;
  const { customData: _kept, ...visible } = osProfile;
  const identity = identityOf(vm);
  return {
    id: vm.id,
    name: vm.name,
    type: 'Microsoft.Compute/virtualMachines',
    location: vm.body.location,
    ...(vm.body.zones && { zones: vm.body.zones }),
    ...(vm.body.tags && { tags: vm.body.tags }),
    ...(identity && { identity }),
    properties: {
      ...properties,
      storageProfile: storageProfileOf(vm),
      osProfile: { ...visible, secrets: [], allowExtensionOperations: true, requireGuestProvisionSignal: true },
      provisioningState: vm.state,
      vmId: vm.vmId,
      timeCreated: new Date(vm.createdMs).toISOString(),
    },
    ...(vm.extensions.size > 0 && { resources: [...vm.extensions.values()].map(extensionResource) }),
  };
};

/** The machine as a list shows it: with no more than the ids of its extensions. */
export const listedVmResource = (vm: VmEntry): ArmResource => ({
  ...vmResource(vm),
  ...(vm.extensions.size > 0 && { resources: [...vm.extensions.values()].map(({ id }) => ({ id })) }),
});

/** Whether an extension is being written. */
export const hasBusyExtension = (vm: VmEntry): boolean =>
  [...vm.extensions.values()].some(({ state }) => state === 'Creating' || state === 'Updating');

export const vmRecordOf = (vm: VmEntry): VmRecord => {
  const { osProfile, hardwareProfile, storageProfile, networkProfile } = vm.body.properties;
  return {
    id: vm.id,
    vmId: vm.vmId,
    name: vm.name,
    resourceGroup: vm.resourceGroup,
    location: vm.body.location,
    zone: vm.body.zones?.[0],
    size: hardwareProfile.vmSize,
    capacityType: vmCapacityTypeOf(vm.body),
    capacityReservationGroupId: vm.body.properties.capacityReservation?.capacityReservationGroup?.id,
    provisioningState: vm.state,
    providerId: `azure:///subscriptions/${vm.subscriptionId}/resourceGroups/${vm.resourceGroup.toLowerCase()}/providers/Microsoft.Compute/virtualMachines/${vm.name}`,
    osProfile: { computerName: osProfile.computerName, adminUsername: osProfile.adminUsername, customData: osProfile.customData },
    imageId: imageIdOf(vm.body),
    osDiskSizeGB: storageProfile.osDisk.diskSizeGB ?? 30,
    nicIds: networkProfile.networkInterfaces.map((nic) => nic.id),
    privateIpAddress: vm.privateIpAddress,
    ipv6Address: vm.ipv6Address,
    tags: vm.body.tags ?? {},
    timeCreatedMs: vm.createdMs,
    hardware: {
      vCpus: capabilityNumberOf(vm.sku, 'vCPUsAvailable'),
      memoryBytes: capabilityNumberOf(vm.sku, 'MemoryGB') * 1024 ** 3,
      gpus: capabilityNumberOf(vm.sku, 'GPUs'),
      maxDataDisks: capabilityNumberOf(vm.sku, 'MaxDataDiskCount'),
      architecture: capabilityOf(vm.sku, 'CpuArchitectureType') === 'Arm64' ? 'arm64' : 'amd64',
    },
  };
};
