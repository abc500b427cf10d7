/** The parts of a subnet's ARM id. */
export interface SubnetId {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly vnet: string;
  readonly name: string;
}

const PATTERN =
  /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Network\/virtualNetworks\/([^/]+)\/subnets\/([^/]+)$/i;

export const parseSubnetId = (id: string): SubnetId | undefined => {
  const [, subscriptionId, resourceGroup, vnet, name] = PATTERN.exec(id) ?? [];
  if (subscriptionId === undefined || resourceGroup === undefined || vnet === undefined || name === undefined) return undefined;
  return { subscriptionId, resourceGroup, vnet, name };
};

/** Whether the two are in one virtual network. */
export const isSameVnet = (a: SubnetId, b: SubnetId): boolean =>
  [a.subscriptionId, a.resourceGroup, a.vnet].join('/').toLowerCase() ===
  [b.subscriptionId, b.resourceGroup, b.vnet].join('/').toLowerCase();

/** The network that AKS makes when it is given none: in the node resource group, named by eight digits. */
export const isManagedVnet = (subnet: SubnetId, nodeResourceGroup: string): boolean =>
  subnet.resourceGroup.toLowerCase() === nodeResourceGroup.toLowerCase() &&
  /^aks-vnet-\d{8}$/i.test(subnet.vnet) &&
  subnet.name.toLowerCase() === 'aks-subnet';
