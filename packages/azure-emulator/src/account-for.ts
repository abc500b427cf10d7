import type { ArmAccount } from './account.ts';
import type { IdSource } from './id-source.ts';
import type { ArmNetworkOptions } from './options.ts';

interface AccountChoice {
  readonly location: string;
  readonly clusterName: string;
  readonly federatedToken: string;
  readonly network: ArmNetworkOptions;
}

/** The account of an AKS cluster as AKS would have laid it out: managed network, load balancer, security group. */
export const accountFor = (ids: IdSource, { location, clusterName, federatedToken, network }: AccountChoice): ArmAccount => {
  const subscriptionId = ids.uuid('subscription');
  const clusterResourceGroup = `${clusterName}-rg`;
  const nodeResourceGroup = `MC_${clusterResourceGroup}_${clusterName}_${location}`;
  const clusterId = ids.digits('cluster');
  const inNodeGroup = `/subscriptions/${subscriptionId}/resourceGroups/${nodeResourceGroup}/providers`;
  const inClusterGroup = `/subscriptions/${subscriptionId}/resourceGroups/${clusterResourceGroup}/providers`;
  const vnetId =
    network.vnet === undefined
      ? `${inNodeGroup}/Microsoft.Network/virtualNetworks/aks-vnet-${clusterId}`
      : `${inClusterGroup}/Microsoft.Network/virtualNetworks/${network.vnet}`;
  const balancer = `${inNodeGroup}/Microsoft.Network/loadBalancers/kubernetes/backendAddressPools`;
  return {
    subscriptionId,
    tenantId: ids.uuid('tenant'),
    clientId: ids.uuid('client'),
    clientSecret: ids.uuid('client-secret'),
    federatedToken,
    location,
    clusterName,
    machinesPoolName: 'machines',
    clusterResourceGroup,
    nodeResourceGroup,
    vnetId,
    vnetGuid: ids.uuid('vnet'),
    subnetId: `${vnetId}/subnets/${Object.keys(network.subnets)[0] ?? ''}`,
    networkSecurityGroupId: `${inNodeGroup}/Microsoft.Network/networkSecurityGroups/aks-agentpool-${clusterId}-nsg`,
    backendPoolIds: [
      'aksOutboundBackendPool',
      'kubernetes',
      ...(network.ipv6 ? ['aksOutboundBackendPool-ipv6', 'kubernetes-ipv6'] : []),
    ].map((name) => `${balancer}/${name}`),
    diskEncryptionSetId: `${inClusterGroup}/Microsoft.Compute/diskEncryptionSets/nodes`,
    proximityPlacementGroupId: `${inClusterGroup}/Microsoft.Compute/proximityPlacementGroups/close`,
    imageSubscriptionId: ids.uuid('image-subscription'),
    kubeletIdentityId: `${inNodeGroup}/Microsoft.ManagedIdentity/userAssignedIdentities/${clusterName}-agentpool`,
    kubeletIdentityClientId: ids.uuid('kubelet-identity'),
  };
};
