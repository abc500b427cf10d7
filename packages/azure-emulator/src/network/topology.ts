import type { ArmAccount } from '../account.ts';
import type { ArmEgressOptions, ArmNetworkOptions } from '../options.ts';
import { idKey } from '../arm-id.ts';
import { SubnetAddresses } from './subnet-addresses.ts';

export interface Subnet {
  readonly id: string;
  readonly addresses: SubnetAddresses;
  /** Undefined: IPv4 only. */
  readonly ipv6Prefix: string | undefined;
}

/** The network that stands before the first node comes. */
export interface NetworkTopology {
  readonly subnets: readonly Subnet[];
  readonly egress: ArmEgressOptions;
  /** The subnet of an id, or undefined when there is none. */
  subnet(id: string): SubnetAddresses | undefined;
  /** The IPv6 range of a subnet. */
  ipv6Prefix(subnetId: string): string | undefined;
  hasBackendPool(id: string): boolean;
  hasSecurityGroup(id: string): boolean;
}

export const topologyOf = (account: ArmAccount, { subnets: prefixes, ipv6 = {}, egress = {} }: ArmNetworkOptions): NetworkTopology => {
  const subnets = Object.entries(prefixes).map(([name, prefix]) => ({
    id: `${account.vnetId}/subnets/${name}`,
    addresses: new SubnetAddresses(prefix),
    ipv6Prefix: ipv6[name],
  }));
  const byId = new Map(subnets.map((subnet) => [idKey(subnet.id), subnet]));
  const pools = new Set(account.backendPoolIds.map(idKey));
  return {
    subnets,
    egress,
    subnet: (id) => byId.get(idKey(id))?.addresses,
    ipv6Prefix: (id) => byId.get(idKey(id))?.ipv6Prefix,
    hasBackendPool: (id) => pools.has(idKey(id)),
    hasSecurityGroup: (id) => idKey(id) === idKey(account.networkSecurityGroupId),
  };
};
