import type { Clock } from '@karpenter/runtime';
import type { ArmApi } from '../arm/arm-api.ts';
import { type BackendPools, backendPoolsOf } from './load-balancer-pools.ts';

/** What machines join in the cluster's network. */
export interface NetworkFacts {
  backendPools(signal: AbortSignal): Promise<BackendPools>;
  /** Reads them again the next time. */
  forgetBackendPools(): void;
  securityGroup(signal: AbortSignal): Promise<SecurityGroup>;
}

export interface SecurityGroup {
  readonly id: string;
  readonly name: string;
  /** Named by the same eight digits. */
  readonly routeTable: string;
}

/** The cluster's network is not as AKS makes it. */
export class NetworkFactsError extends Error {
  override readonly name = 'NetworkFactsError';
  readonly code = 'security-group-not-found';
}

const POOLS_FRESH_MS = 2 * 3_600_000;
const NSG_NAME = /^aks-agentpool-(\d{8})-nsg$/i;

/** Whether a name is one that AKS gives to the security group of a cluster's nodes. */
export const isClusterSecurityGroup = (name: string): boolean => NSG_NAME.test(name);

const securityGroupOf = (groups: readonly { readonly id?: string; readonly name?: string }[]): SecurityGroup => {
  const matches = groups.flatMap(({ id, name }) => {
    const digits = NSG_NAME.exec(name ?? '')?.[1];
    return id === undefined || name === undefined || digits === undefined
      ? []
      : [{ id, name, routeTable: `aks-agentpool-${digits}-routetable` }];
  });
  const [only] = matches;
  if (only === undefined || matches.length > 1) {
    throw new NetworkFactsError(
      `the node resource group has ${matches.length} network security groups named aks-agentpool-<8 digits>-nsg, expected one`,
    );
  }
  return only;
};

/** Asks ARM, and remembers: pools for two hours, the security group for good. */
export const networkFacts = (arm: Pick<ArmApi, 'listLoadBalancers' | 'listNetworkSecurityGroups'>, clock: Clock): NetworkFacts => {
  let pools: { readonly known: BackendPools; readonly untilMs: number } | undefined;
  let group: SecurityGroup | undefined;
  return {
    backendPools: async (signal) => {
      if (pools === undefined || pools.untilMs <= clock.now()) {
        pools = { known: backendPoolsOf(await arm.listLoadBalancers(signal)), untilMs: clock.now() + POOLS_FRESH_MS };
      }
      return pools.known;
    },
    forgetBackendPools: () => {
      pools = undefined;
    },
    securityGroup: async (signal) => (group ??= securityGroupOf(await arm.listNetworkSecurityGroups(signal))),
  };
};
