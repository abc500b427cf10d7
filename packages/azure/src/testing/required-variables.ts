/** Each variable that the options require, and no other. */
export const requiredVariables = {
  CLUSTER_NAME: 'main',
  CLUSTER_ENDPOINT: 'https://main.hcp.eastus.azmk8s.io:443',
  KUBELET_BOOTSTRAP_TOKEN: 'abcdef.0123456789abcdef',
  SSH_PUBLIC_KEY: 'ssh-rsa AAAA',
  VNET_SUBNET_ID: '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/vnet/subnets/nodes',
  AZURE_NODE_RESOURCE_GROUP: 'MC_rg_main_eastus',
  LOCATION: 'eastus',
  AZURE_SUBSCRIPTION_ID: '11111111-2222-3333-4444-555555555555',
};
