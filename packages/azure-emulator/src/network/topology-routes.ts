import { idKey, nameOf } from '../arm-id.ts';
import { resourceNotFound } from '../serve/not-found.ts';
import { pagedList } from '../serve/paged-list.ts';
import { ok } from '../serve/replies.ts';
import type { ArmReply, ArmRequest, ArmRoute } from '../serve/route.ts';
import type { ArmWorld } from '../world.ts';
import type { ArmEgressOptions } from '../options.ts';
import { egressRoutes, securityGroupBody, subnetEgress } from './egress-routes.ts';
import type { Subnet, NetworkTopology } from './topology.ts';

const backendPool = (id: string): object => ({
  id,
  name: nameOf(id),
  type: 'Microsoft.Network/loadBalancers/backendAddressPools',
  properties: { provisioningState: 'Succeeded', loadBalancerBackendAddresses: [] },
});

const loadBalancers = (world: ArmWorld): readonly object[] => {
  const byBalancer = Map.groupBy(world.account.backendPoolIds, (id) => id.slice(0, id.lastIndexOf('/backendAddressPools/')));
  return [...byBalancer].map(([id, pools]) => ({
    id,
    name: nameOf(id),
    type: 'Microsoft.Network/loadBalancers',
    location: world.account.location,
    sku: { name: 'Standard', tier: 'Regional' },
    properties: { provisioningState: 'Succeeded', backendAddressPools: pools.map(backendPool) },
  }));
};

const subnetBody = (world: ArmWorld, egress: ArmEgressOptions, { id, addresses, ipv6Prefix }: Subnet): object => ({
  id,
  name: nameOf(id),
  type: 'Microsoft.Network/virtualNetworks/subnets',
  properties: {
    provisioningState: 'Succeeded',
    ...(ipv6Prefix === undefined ? { addressPrefix: addresses.prefix } : { addressPrefixes: [addresses.prefix, ipv6Prefix] }),
    ...subnetEgress(world, egress),
    privateEndpointNetworkPolicies: 'Disabled',
    privateLinkServiceNetworkPolicies: 'Enabled',
  },
});

const vnetBody = (world: ArmWorld, { subnets, egress }: NetworkTopology): object => ({
  id: world.account.vnetId,
  name: nameOf(world.account.vnetId),
  type: 'Microsoft.Network/virtualNetworks',
  location: world.account.location,
  properties: {
    provisioningState: 'Succeeded',
    resourceGuid: world.account.vnetGuid,
    addressSpace: {
      addressPrefixes: subnets.flatMap(({ addresses, ipv6Prefix }) => [
        addresses.prefix,
        ...(ipv6Prefix === undefined ? [] : [ipv6Prefix]),
      ]),
    },
    subnets: subnets.map((subnet) => subnetBody(world, egress, subnet)),
  },
});

const orNotFound = (request: ArmRequest, type: string, body: object | undefined): ArmReply =>
  body ? ok(body) : resourceNotFound(request, `Microsoft.Network/${type}`, nameOf(request.path));

const getVnet = (world: ArmWorld, topology: NetworkTopology, request: ArmRequest): ArmReply =>
  orNotFound(request, 'virtualNetworks', idKey(request.path) === idKey(world.account.vnetId) ? vnetBody(world, topology) : undefined);

const getSubnet = (world: ArmWorld, topology: NetworkTopology, request: ArmRequest): ArmReply => {
  const subnet = topology.subnets.find(({ id }) => idKey(id) === idKey(request.path));
  return orNotFound(request, 'virtualNetworks/subnets', subnet && subnetBody(world, topology.egress, subnet));
};

const usageOf = ({ id, addresses }: Subnet): object => ({
  id,
  currentValue: addresses.total - addresses.free,
  limit: addresses.total,
  name: { localizedValue: 'Subnet size and usage', value: 'SubnetSpace' },
  unit: 'Count',
});

/**
 * The network that was there before the nodes: load balancers, security groups, the virtual network, its subnets and
 * their ways out. All read only.
 */
export const topologyRoutes = (world: ArmWorld, topology: NetworkTopology): readonly ArmRoute[] => {
  const base = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroup}/providers/Microsoft.Network';
  const inNodeGroup = (request: ArmRequest, rows: readonly object[]): ArmReply => {
    const group = (request.params['resourceGroup'] ?? '').toLowerCase();
    const visible = group === world.account.nodeResourceGroup.toLowerCase() ? rows : [];
    return pagedList(visible, request, { world });
  };
  return [
    {
      operation: 'LoadBalancers_List',
      method: 'GET',
      path: `${base}/loadBalancers`,
      handle: (request) => inNodeGroup(request, loadBalancers(world)),
    },
    {
      operation: 'NetworkSecurityGroups_List',
      method: 'GET',
      path: `${base}/networkSecurityGroups`,
      handle: (request) => inNodeGroup(request, [securityGroupBody(world, topology.egress)]),
    },
    {
      operation: 'VirtualNetworks_Get',
      method: 'GET',
      path: `${base}/virtualNetworks/{vnet}`,
      handle: (request) => getVnet(world, topology, request),
    },
    {
      operation: 'VirtualNetworks_ListUsage',
      method: 'GET',
      path: `${base}/virtualNetworks/{vnet}/usages`,
      handle: (request) => {
        const id = request.path.replace(/\/usages$/i, '');
        if (idKey(id) !== idKey(world.account.vnetId)) return orNotFound({ ...request, path: id }, 'virtualNetworks', undefined);
        return pagedList(topology.subnets.map(usageOf), request, { world });
      },
    },
    {
      operation: 'Subnets_Get',
      method: 'GET',
      path: `${base}/virtualNetworks/{vnet}/subnets/{subnet}`,
      handle: (request) => getSubnet(world, topology, request),
    },
    ...egressRoutes(world, topology.egress),
  ];
};
