import { idKey, nameOf } from '../arm-id.ts';
import type { ArmEgressOptions, ArmOutboundRule } from '../options.ts';
import { resourceNotFound } from '../serve/not-found.ts';
import { ok } from '../serve/replies.ts';
import type { ArmReply, ArmRequest, ArmRoute } from '../serve/route.ts';
import type { ArmWorld } from '../world.ts';

type Rule = ArmOutboundRule & { readonly direction?: string };

/** Source: Azure, "Network security groups", default security rules. */
const DEFAULT_RULES: readonly Rule[] = [
  {
    name: 'AllowVnetInBound',
    direction: 'Inbound',
    priority: 65000,
    access: 'Allow',
    source: 'VirtualNetwork',
    destination: 'VirtualNetwork',
  },
  { name: 'AllowAzureLoadBalancerInBound', direction: 'Inbound', priority: 65001, access: 'Allow', source: 'AzureLoadBalancer' },
  { name: 'DenyAllInBound', direction: 'Inbound', priority: 65500, access: 'Deny' },
  { name: 'AllowVnetOutBound', priority: 65000, access: 'Allow', source: 'VirtualNetwork', destination: 'VirtualNetwork' },
  { name: 'AllowInternetOutBound', priority: 65001, access: 'Allow', destination: 'Internet' },
  { name: 'DenyAllOutBound', priority: 65500, access: 'Deny' },
];

const ruleBody = (groupId: string, rule: Rule): object => {
  const { name, priority, access, direction = 'Outbound', protocol = '*', source = '*', destination = '*', ports = '*' } = rule;
  return {
    id: `${groupId}/securityRules/${name}`,
    name,
    properties: {
      ...{ provisioningState: 'Succeeded', protocol, priority, access, direction },
      ...{ sourcePortRange: '*', sourceAddressPrefix: source, destinationPortRange: ports },
      ...(Array.isArray(destination) ? { destinationAddressPrefixes: destination } : { destinationAddressPrefix: destination }),
    },
  };
};

/** The security group that AKS makes for nodes, with the rules of the user and those of Azure. */
export const securityGroupBody = ({ account }: ArmWorld, { rules = [] }: ArmEgressOptions): object => ({
  id: account.networkSecurityGroupId,
  name: nameOf(account.networkSecurityGroupId),
  type: 'Microsoft.Network/networkSecurityGroups',
  location: account.location,
  properties: {
    provisioningState: 'Succeeded',
    securityRules: rules.map((rule) => ruleBody(account.networkSecurityGroupId, rule)),
    defaultSecurityRules: DEFAULT_RULES.map((rule) => ruleBody(account.networkSecurityGroupId, rule)),
  },
});

const routeTableId = ({ account }: ArmWorld): string =>
  account.networkSecurityGroupId.replace('/networkSecurityGroups/', '/routeTables/').replace(/-nsg$/, '-routetable');

const routeTableBody = (world: ArmWorld, { routes = [], hasRoutesOfGateways = true }: ArmEgressOptions): object => ({
  id: routeTableId(world),
  name: nameOf(routeTableId(world)),
  type: 'Microsoft.Network/routeTables',
  location: world.account.location,
  properties: {
    provisioningState: 'Succeeded',
    disableBgpRoutePropagation: !hasRoutesOfGateways,
    routes: routes.map(({ name, ...properties }) => ({ id: `${routeTableId(world)}/routes/${name}`, name, properties })),
  },
});

/** What every subnet says of its way out. */
export const subnetEgress = (world: ArmWorld, { routes, hasNatGateway = false }: ArmEgressOptions): object => ({
  networkSecurityGroup: { id: world.account.networkSecurityGroupId },
  ...(routes && { routeTable: { id: routeTableId(world) } }),
  ...(hasNatGateway && { natGateway: { id: `${world.account.vnetId.replace(/\/virtualNetworks\/.*/, '')}/natGateways/nodes` } }),
});

const clusterIdOf = ({ account }: ArmWorld): string =>
  `/subscriptions/${account.subscriptionId}/resourceGroups/${account.clusterResourceGroup}/providers/Microsoft.ContainerService/managedClusters/${account.clusterName}`;

const clusterBody = (world: ArmWorld, { outboundType = 'loadBalancer', hasPrivateApiServer = false }: ArmEgressOptions): object => ({
  id: clusterIdOf(world),
  name: world.account.clusterName,
  type: 'Microsoft.ContainerService/ManagedClusters',
  location: world.account.location,
  properties: {
    provisioningState: 'Succeeded',
    nodeResourceGroup: world.account.nodeResourceGroup,
    networkProfile: { outboundType },
    apiServerAccessProfile: { enablePrivateCluster: hasPrivateApiServer },
  },
});

/** A resource group; AKS marks the one that it makes for nodes with the cluster that it is of. */
const groupBody = (world: ArmWorld, name: string): object => {
  const { subscriptionId, nodeResourceGroup, location } = world.account;
  return {
    ...{ id: `/subscriptions/${subscriptionId}/resourceGroups/${name}`, name, location, type: 'Microsoft.Resources/resourceGroups' },
    ...(idKey(name) === idKey(nodeResourceGroup) && { managedBy: clusterIdOf(world) }),
    properties: { provisioningState: 'Succeeded' },
  };
};

const GROUP = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroup}';

/** What lets the traffic of nodes out: the cluster, the security group and the route table. Read only. */
export const egressRoutes = (world: ArmWorld, egress: ArmEgressOptions): readonly ArmRoute[] => {
  const only = (id: string, body: object, request: ArmRequest): ArmReply => {
    const [, type = ''] = /\/providers\/([^/]+\/[^/]+)\//.exec(id) ?? [];
    return idKey(request.path) === idKey(id) ? ok(body) : resourceNotFound(request, type);
  };
  return [
    {
      operation: 'ResourceGroups_Get',
      method: 'GET',
      path: GROUP,
      handle: ({ params }) => ok(groupBody(world, params['resourceGroup'] ?? '')),
    },
    {
      operation: 'ManagedClusters_Get',
      method: 'GET',
      path: `${GROUP}/providers/Microsoft.ContainerService/managedClusters/{name}`,
      handle: (request) => only(clusterIdOf(world), clusterBody(world, egress), request),
    },
    {
      operation: 'NetworkSecurityGroups_Get',
      method: 'GET',
      path: `${GROUP}/providers/Microsoft.Network/networkSecurityGroups/{name}`,
      handle: (request) => only(world.account.networkSecurityGroupId, securityGroupBody(world, egress), request),
    },
    {
      operation: 'RouteTables_Get',
      method: 'GET',
      path: `${GROUP}/providers/Microsoft.Network/routeTables/{name}`,
      handle: (request) => only(routeTableId(world), routeTableBody(world, egress), request),
    },
  ];
};
