import type { LoadBalancer } from '@azure/arm-network';

const LOAD_BALANCERS = new Set(['kubernetes', 'kubernetes-internal']);
const NOT_FOR_IPV4 = new Set(['kubernetes-ipv6', 'aksoutboundbackendpool-ipv6']);

type Pool = NonNullable<LoadBalancer['backendAddressPools']>[number];

/** Pools of addresses take no interfaces. */
const isOfAddresses = (pool: Pool): boolean => (pool.loadBalancerBackendAddresses ?? []).some((address) => Boolean(address.ipAddress));

const takesInterfaces = (pool: Pool): boolean => !NOT_FOR_IPV4.has((pool.name ?? '').toLowerCase()) && !isOfAddresses(pool);

/** Ids of the backend pools that a node joins, in order. Empty where nodes reach the world another way. */
export const backendPoolIdsOf = (loadBalancers: readonly LoadBalancer[]): readonly string[] =>
  loadBalancers
    .filter((balancer) => LOAD_BALANCERS.has((balancer.name ?? '').toLowerCase()))
    .flatMap((balancer) => balancer.backendAddressPools ?? [])
    .filter(takesInterfaces)
    .flatMap((pool) => (pool.id === undefined ? [] : [pool.id]))
    .sort();
