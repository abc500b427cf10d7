import type { ArmAccount } from '../account.ts';
import { idKey } from '../arm-id.ts';
import { SubnetAddresses } from './subnet-addresses.ts';

export interface Subnet {
  readonly id: string;
  readonly addresses: SubnetAddresses;
}

/** The network that stands before the first node comes. */
export interface Topology {
  readonly subnets: readonly Subnet[];
  /** The subnet of an id, or undefined when there is none. */
  subnet(id: string): SubnetAddresses | undefined;
  hasBackendPool(id: string): boolean;
  hasSecurityGroup(id: string): boolean;
}

/** @param prefixes subnet → address range */
export const topologyOf = (account: ArmAccount, prefixes: Readonly<Record<string, string>>): Topology => {
  const subnets = Object.entries(prefixes).map(([name, prefix]) => ({
    id: `${account.vnetId}/subnets/${name}`,
    addresses: new SubnetAddresses(prefix),
  }));
  const byId = new Map(subnets.map(({ id, addresses }) => [idKey(id), addresses]));
  const pools = new Set(account.backendPoolIds.map(idKey));
  return {
    subnets,
    subnet: (id) => byId.get(idKey(id)),
    hasBackendPool: (id) => pools.has(idKey(id)),
    hasSecurityGroup: (id) => idKey(id) === idKey(account.networkSecurityGroupId),
  };
};
