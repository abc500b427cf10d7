import type { ProviderOption } from '@karpenter/core/provider-kit';

const variable = (env: string, help: string, defaultText = ''): ProviderOption => ({ env, help, defaultText });

/** A flag, and the variable of the same name in capitals. */
const flag = (name: string, help: string, defaultText = ''): ProviderOption => ({
  flag: name,
  ...variable(name.replaceAll('-', '_').toUpperCase(), help, defaultText),
});

/**
 * The options of the provider, as `--help` shows them. Names and defaults are the original's, except those that it does
 * not have: `--retail-prices-url`, `--cluster-ca-bundle`, `--committed-prices`, `--api-versions`, `--spot-max-price`,
 * `--capacity-reservation-groups`.
 */
export const azureOptionNames = {
  clusterName: flag('cluster-name', 'name of the AKS cluster', 'required'),
  clusterEndpoint: flag('cluster-endpoint', 'URL of the API server, as nodes reach it', 'required'),
  nodeResourceGroup: {
    ...flag('node-resource-group', 'resource group in which machines are made', 'required'),
    env: 'AZURE_NODE_RESOURCE_GROUP',
  },
  subscriptionId: variable('AZURE_SUBSCRIPTION_ID', 'subscription of the cluster; wins over ARM_SUBSCRIPTION_ID', 'required'),
  location: variable('LOCATION', 'region, such as eastus', 'required'),
  vnetSubnetId: flag('vnet-subnet-id', 'ARM id of the subnet of nodes whose class names none', 'required'),
  sshPublicKey: flag('ssh-public-key', 'public key of the administrator of nodes', 'required'),
  kubeletBootstrapToken: flag('kubelet-bootstrap-token', 'token with which nodes join; a secret', 'required'),
  useSig: flag('use-sig', 'take images from the shared galleries of AKS', 'false'),
  sigSubscriptionId: flag('sig-subscription-id', 'subscription of those galleries; required with --use-sig'),
  sigAccessTokenServerUrl: flag('sig-access-token-server-url', 'who gives tokens for them; required with --use-sig'),
  systemNamespace: variable(
    'SYSTEM_NAMESPACE',
    'namespace of the ConfigMap upcoming-maintenance-window, which lists maintenance windows',
    'none: windows are not checked',
  ),
  tenantId: variable('AZURE_TENANT_ID', 'Entra tenant; wins over ARM_TENANT_ID'),
  armCloud: variable('ARM_CLOUD', 'AzurePublicCloud, AzureChinaCloud or AzureUSGovernmentCloud', 'AzurePublicCloud'),
  azureEnvironmentFilepath: variable('AZURE_ENVIRONMENT_FILEPATH', 'file that describes another cloud, in place of ARM_CLOUD'),
  networkPlugin: flag('network-plugin', 'azure or none', 'azure'),
  networkPluginMode: flag('network-plugin-mode', 'overlay, or empty', 'overlay with the plugin azure'),
  networkDataplane: flag('network-dataplane', 'cilium, azure or empty', 'cilium'),
  networkPolicy: flag('network-policy', 'network policy engine of the cluster, for the label of nodes'),
  dnsServiceIp: flag('dns-service-ip', 'address of the cluster’s DNS', 'that of the Service kube-system/kube-dns'),
  vnetGuid: flag('vnet-guid', 'resourceGuid of the virtual network, for the overlay', 'asked of Azure'),
  clusterCaBundle: flag('cluster-ca-bundle', 'base64 of PEM: whom nodes trust as API server', 'whom the controller trusts'),
  linuxAdminUsername: flag('linux-admin-username', 'administrator of nodes', 'azureuser'),
  nodeIdentities: flag('node-identities', 'ARM ids of user-assigned identities of machines, separated by commas'),
  kubeletIdentityClientId: flag('kubelet-identity-client-id', 'client id of the kubelet’s identity'),
  additionalTags: flag('additional-tags', 'tags of everything that is made: key=value, separated by commas'),
  nodeOsdiskDiskencryptionsetId: flag('node-osdisk-diskencryptionset-id', 'ARM id of the disk encryption set of OS disks'),
  vmMemoryOverheadPercent: flag(
    'vm-memory-overhead-percent',
    'part of a machine’s memory that its system never sees, until a node reports its memory',
    '0.075',
  ),
  retailPricesUrl: flag(
    'retail-prices-url',
    'where prices are read',
    'the public API on the public cloud, prices that came with this version elsewhere',
  ),
  committedPrices: flag(
    'committed-prices',
    'what reservations and savings plans make of prices on demand: size, series or * = USD an hour or a discount, as Standard_D4s_v5=0.11,Ds_v5=-37%',
    'none: retail prices',
  ),
  capacityReservationGroups: flag(
    'capacity-reservation-groups',
    'ARM ids of capacity reservation groups, separated by commas, whose unused machines are launched first; not with the modes aksmachineapi and aksmachineapiheaderbatch',
    'none',
  ),
  apiVersions: flag(
    'api-versions',
    'api-versions of calls to Azure by resource type or provider, as Microsoft.Compute/virtualMachines=2025-04-01',
    'the newest that this version of Karpenter knows and the subscription offers',
  ),
  spotMaxPrice: flag('spot-max-price', 'most that a spot machine may cost, in USD an hour; -1: up to its price on demand', '-1'),
  spotPlacementScores: flag(
    'spot-placement-scores',
    'choose among spot sizes also by how likely Azure says they can be made; needs the role Compute Recommendations Role on the subscription',
    'false',
  ),
  provisionMode: flag(
    'provision-mode',
    'how machines are made: aksscriptless, bootstrappingclient, aksmachineapi or aksmachineapiheaderbatch',
    'aksscriptless',
  ),
  nodebootstrappingServerUrl: flag(
    'nodebootstrapping-server-url',
    'the service of AKS that writes user data, as host:port (no TLS) or URL; required with the mode bootstrappingclient',
  ),
  aksMachinesPoolName: flag(
    'aks-machines-pool-name',
    'agent pool of mode Machines; required with the modes aksmachineapi and aksmachineapiheaderbatch, which need --use-sig',
  ),
  manageExistingAksMachines: flag(
    'manage-existing-aks-machines',
    'manage the machines that an agent pool has from before, while VMs are made; needs --aks-machines-pool-name and ARM_RESOURCE_GROUP',
    'false',
  ),
  providerBatchIdleDuration: flag(
    'provider-batch-idle-duration',
    'with the mode aksmachineapiheaderbatch: how long a machine waits for another one in its request',
    '1s',
  ),
  providerBatchMaxDuration: flag('provider-batch-max-duration', 'the longest that a machine waits so', '5s'),
  providerBatchMaxSize: flag('provider-batch-max-size', 'the most machines in one request, up to 50', '50'),
  enableAzureSdkLogging: flag(
    'enable-azure-sdk-logging',
    'log what the Azure SDK says of each call, at the level debug; tokens and bodies are left out',
    'true',
  ),
  armResourceGroup: variable('ARM_RESOURCE_GROUP', 'resource group of the AKS cluster itself; required unless the mode is aksscriptless'),
} as const;
