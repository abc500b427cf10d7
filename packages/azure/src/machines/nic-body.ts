import type { NetworkInterface } from '@azure/arm-network';

/** All that an interface depends on, as values. */
export interface NicSource {
  readonly name: string;
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly subnetId: string;
  readonly backendPoolIds: readonly string[];
  readonly isAccelerated: boolean;
  /** Only in a network that the user brought. */
  readonly networkSecurityGroupId: string | undefined;
  /** Addresses for pods beside the node's own; 0 with an overlay. */
  readonly podAddresses: number;
}

type IpConfiguration = NonNullable<NetworkInterface['ipConfigurations']>[number];

const secondary = (index: number, subnetId: string): IpConfiguration => ({
  name: `ipconfig${index}`,
  primary: false,
  privateIPAllocationMethod: 'Dynamic',
  privateIPAddressVersion: 'IPv4',
  subnet: { id: subnetId },
});

/** What is PUT for a machine's network interface. */
export const nicBodyOf = (source: NicSource): NetworkInterface => ({
  location: source.location,
  tags: { ...source.tags },
  enableAcceleratedNetworking: source.isAccelerated,
  enableIPForwarding: false,
  ...(source.networkSecurityGroupId !== undefined && { networkSecurityGroup: { id: source.networkSecurityGroupId } }),
  ipConfigurations: [
    {
      name: source.name,
      primary: true,
      privateIPAllocationMethod: 'Dynamic',
      privateIPAddressVersion: 'IPv4',
      subnet: { id: source.subnetId },
      loadBalancerBackendAddressPools: source.backendPoolIds.map((id) => ({ id })),
    },
    ...Array.from({ length: source.podAddresses }, (_, index) => secondary(index + 1, source.subnetId)),
  ],
});
