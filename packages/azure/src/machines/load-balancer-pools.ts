import type { LoadBalancer } from '@azure/arm-network';

const LOAD_BALANCERS = new Set(['kubernetes', 'kubernetes-internal']);
/** Source: Azure/karpenter-provider-azure, `pkg/providers/loadbalancer`. */
const FOR_IPV6 = new Set(['kubernetes-ipv6', 'aksoutboundbackendpool-ipv6']);

type Pool = NonNullable<LoadBalancer['backendAddressPools']>[number];

/** Pools of addresses take no interfaces. */
const isOfAddresses = (pool: Pool): boolean => (pool.loadBalancerBackendAddresses ?? []).some((address) => Boolean(address.ipAddress));

/** Ids of the backend pools that addresses of each family join, in order. Empty where nodes reach the world another way. */
export interface BackendPools {
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
}

const idsOf = (pools: readonly Pool[]): readonly string[] => pools.flatMap(({ id }) => id ?? []).sort();

export const backendPoolsOf = (loadBalancers: readonly LoadBalancer[]): BackendPools => {
  const pools = loadBalancers
    .filter((balancer) => LOAD_BALANCERS.has((balancer.name ?? '').toLowerCase()))
    .flatMap((balancer) => balancer.backendAddressPools ?? [])
    .filter((pool) => !isOfAddresses(pool));
  const [ipv6, ipv4] = [true, false].map((wanted) => idsOf(pools.filter(({ name = '' }) => FOR_IPV6.has(name.toLowerCase()) === wanted)));
  return { ipv4: ipv4 ?? [], ipv6: ipv6 ?? [] };
};
