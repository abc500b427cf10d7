import type { ArmAccount } from '../account.ts';
import { idKey } from '../arm-id.ts';
import { SubnetAddresses } from './subnet-addresses.ts';

/** The network that stands before the first node comes. */
export interface Topology {
  /** The subnet of an id, or undefined when there is none. */
  subnet(id: string): SubnetAddresses | undefined;
  hasBackendPool(id: string): boolean;
  hasSecurityGroup(id: string): boolean;
}

export const topologyOf = (account: ArmAccount, subnetPrefix: string): Topology => {
  const subnet = new SubnetAddresses(subnetPrefix);
  const pools = new Set(account.backendPoolIds.map(idKey));
  return {
    subnet: (id) => (idKey(id) === idKey(account.subnetId) ? subnet : undefined),
    hasBackendPool: (id) => pools.has(idKey(id)),
    hasSecurityGroup: (id) => idKey(id) === idKey(account.networkSecurityGroupId),
  };
};
