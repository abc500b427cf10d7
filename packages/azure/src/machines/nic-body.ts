import type { NetworkInterface } from '@azure/arm-network';
import type { BackendPools } from './load-balancer-pools.ts';

/** All that an interface depends on, as values. */
export interface NicSource {
  readonly name: string;
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly subnetId: string;
  readonly backendPools: BackendPools;
  readonly isDualStack: boolean;
  readonly isAccelerated: boolean;
  /** Only in a network that the user brought. */
  readonly networkSecurityGroupId: string | undefined;
  /** Addresses for pods beside the node's own; 0 with an overlay. */
  readonly podAddresses: number;
}

type IpConfiguration = NonNullable<NetworkInterface['ipConfigurations']>[number];

/** Azure takes one IPv6 address an interface, never as its primary one. */
const ofIPv6 = ({ subnetId, backendPools }: NicSource): IpConfiguration => ({
  name: 'ipconfig-ipv6',
  primary: false,
  privateIPAllocationMethod: 'Dynamic',
  privateIPAddressVersion: 'IPv6',
  subnet: { id: subnetId },
  loadBalancerBackendAddressPools: backendPools.ipv6.map((id) => ({ id })),
});

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
      loadBalancerBackendAddressPools: source.backendPools.ipv4.map((id) => ({ id })),
    },
    ...Array.from({ length: source.podAddresses }, (_, index) => secondary(index + 1, source.subnetId)),
    ...(source.isDualStack ? [ofIPv6(source)] : []),
  ],
});
