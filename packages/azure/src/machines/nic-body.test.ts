import { describe, expect, test } from '@jest/globals';
import { backendPoolsOf } from './load-balancer-pools.ts';
import { nicBodyOf, type NicSource } from './nic-body.ts';

const aNicSource = (more: Partial<NicSource> = {}): NicSource => ({
  name: 'aks-general-a',
  location: 'eastus',
  tags: { team: 'web' },
  subnetId: '/subnets/nodes',
  backendPools: { ipv4: ['/pools/kubernetes'], ipv6: ['/pools/kubernetes-ipv6'] },
  isDualStack: false,
  isAccelerated: true,
  networkSecurityGroupId: undefined,
  podAddresses: 0,
  ...more,
});

describe('the network interface of a machine', () => {
  test('has one address in the overlay, which the load balancer reaches', () => {
    expect(nicBodyOf(aNicSource())).toEqual({
      location: 'eastus',
      tags: { team: 'web' },
      enableAcceleratedNetworking: true,
      enableIPForwarding: false,
      ipConfigurations: [
        {
          name: 'aks-general-a',
          primary: true,
          privateIPAllocationMethod: 'Dynamic',
          privateIPAddressVersion: 'IPv4',
          subnet: { id: '/subnets/nodes' },
          loadBalancerBackendAddressPools: [{ id: '/pools/kubernetes' }],
        },
      ],
    });
  });

  test('has an address for each pod where pods live in the subnet', () => {
    const names = nicBodyOf(aNicSource({ podAddresses: 29 })).ipConfigurations?.map(({ name }) => name);
    expect(names).toHaveLength(30);
    expect(names?.slice(0, 2)).toEqual(['aks-general-a', 'ipconfig1']);
    expect(names?.at(-1)).toBe('ipconfig29');
  });

  test('has an IPv6 address beside the others in a class of both families, in the pools for IPv6', () => {
    const configurations = nicBodyOf(aNicSource({ isDualStack: true, podAddresses: 1 })).ipConfigurations ?? [];
    expect(configurations.map(({ privateIPAddressVersion, primary }) => [privateIPAddressVersion, primary])).toEqual([
      ['IPv4', true],
      ['IPv4', false],
      ['IPv6', false],
    ]);
    expect(configurations.at(-1)).toMatchObject({
      subnet: { id: '/subnets/nodes' },
      loadBalancerBackendAddressPools: [{ id: '/pools/kubernetes-ipv6' }],
    });
  });

  test('has the security group in a network of the user', () => {
    expect(nicBodyOf(aNicSource({ networkSecurityGroupId: '/nsg' })).networkSecurityGroup).toEqual({ id: '/nsg' });
  });
});

test('addresses join the pools of their family of the two balancers that AKS makes', () => {
  const pool = (id: string, ipAddress?: string) => ({
    id,
    name: id,
    ...(ipAddress !== undefined && { loadBalancerBackendAddresses: [{ ipAddress }] }),
  });
  expect(
    backendPoolsOf([
      { name: 'Kubernetes', backendAddressPools: [pool('kubernetes'), pool('kubernetes-ipv6'), pool('aksOutboundBackendPool')] },
      { name: 'kubernetes-internal', backendAddressPools: [pool('by-address', '10.0.0.4'), pool('internal')] },
      { name: 'other', backendAddressPools: [pool('others')] },
    ]),
  ).toEqual({ ipv4: ['aksOutboundBackendPool', 'internal', 'kubernetes'], ipv6: ['kubernetes-ipv6'] });
});
