import type { ArmResource } from '../graph/write-log.ts';
import type { NicBody } from './nic-body.ts';
import type { NicRecord } from './nic-record.ts';

/** A network interface inside the emulator. */
export interface NicEntry {
  readonly id: string;
  readonly name: string;
  readonly resourceGroup: string;
  readonly guid: string;
  body: NicBody;
  addresses: readonly string[];
  state: 'Updating' | 'Succeeded' | 'Failed' | 'Deleting';
  operationId: string;
  /** The VM that it is attached to. */
  vmId: string | undefined;
  /** Kept for a VM whose creation failed, and for nothing else until then. */
  reservation: { readonly vmId: string; readonly untilMs: number } | undefined;
}

export const nicResource = (nic: NicEntry): ArmResource => ({
  id: nic.id,
  name: nic.name,
  type: 'Microsoft.Network/networkInterfaces',
  location: nic.body.location,
  ...(nic.body.tags && { tags: nic.body.tags }),
  properties: {
    ...nic.body.properties,
    provisioningState: nic.state,
    resourceGuid: nic.guid,
    ipConfigurations: nic.body.properties.ipConfigurations.map((configuration, index) => ({
      name: configuration.name,
      id: `${nic.id}/ipConfigurations/${configuration.name}`,
      type: 'Microsoft.Network/networkInterfaces/ipConfigurations',
      properties: {
        privateIPAddressVersion: 'IPv4',
        ...configuration.properties,
        provisioningState: nic.state,
        privateIPAddress: nic.addresses[index],
      },
    })),
    nicType: 'Standard',
    ...(nic.vmId !== undefined && { primary: true, virtualMachine: { id: nic.vmId } }),
  },
});

export const nicRecordOf = (nic: NicEntry): NicRecord => ({
  id: nic.id,
  name: nic.name,
  resourceGroup: nic.resourceGroup,
  provisioningState: nic.state,
  subnetId: nic.body.properties.ipConfigurations[0]?.properties.subnet.id ?? '',
  privateIpAddresses: nic.addresses,
  vmId: nic.vmId,
  tags: nic.body.tags ?? {},
});
