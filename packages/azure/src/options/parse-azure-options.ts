import type {
  AzureOptions,
  CloudChoice,
  CloudName,
  NetworkDataplane,
  NetworkPlugin,
  NetworkPluginMode,
  SharedGalleries,
} from './azure-options.ts';
import {
  absolutePath,
  absoluteUrl,
  anyText,
  diskEncryptionSet,
  identityIds,
  ipAddress,
  linuxUser,
  notNegative,
  oneOf,
  subnetId,
  tagMap,
  trueOrFalse,
  uuid,
} from './option-forms.ts';
import { type GivenOptions, type OptionName, type OptionReader, type OptionValue, optionReader } from './option-reader.ts';

/** Options, or everything that is wrong with what was given. */
export type ParsedAzureOptions =
  { readonly ok: true; readonly options: AzureOptions } | { readonly ok: false; readonly problems: readonly string[] };

const CLOUDS: Readonly<Record<string, CloudName>> = {
  azurepubliccloud: 'AzurePublicCloud',
  azurecloud: 'AzurePublicCloud',
  azurechinacloud: 'AzureChinaCloud',
  azureusgovernment: 'AzureUSGovernmentCloud',
  azureusgovernmentcloud: 'AzureUSGovernmentCloud',
};

const cloudName = (text: string): OptionValue<CloudName> => {
  const value = CLOUDS[text.toLowerCase()];
  return value === undefined ? { wanted: 'one of AzurePublicCloud, AzureChinaCloud, AzureUSGovernmentCloud' } : { value };
};

const maybe = (parse: (text: string) => OptionValue<string>) => parse as (text: string) => OptionValue<string | undefined>;

const cloudOf = (reader: OptionReader): CloudChoice => {
  const path = reader.read({ env: 'AZURE_ENVIRONMENT_FILEPATH' }, undefined, maybe(absolutePath));
  const name = reader.read<CloudName | undefined>({ env: 'ARM_CLOUD' }, undefined, cloudName);
  if (path !== undefined && name !== undefined) {
    reader.complain('ARM_CLOUD and AZURE_ENVIRONMENT_FILEPATH are both set: expected one of them');
  }
  return path === undefined ? { kind: 'named', name: name ?? 'AzurePublicCloud' } : { kind: 'file', path };
};

const MODE = { flag: 'network-plugin-mode', env: 'NETWORK_PLUGIN_MODE' };
const DATAPLANE = { flag: 'network-dataplane', env: 'NETWORK_DATAPLANE' };
const plugins: readonly NetworkPlugin[] = ['azure', 'none'];
const dataplanes: readonly NetworkDataplane[] = ['cilium', 'azure', ''];

const modeOf = (reader: OptionReader, plugin: NetworkPlugin): NetworkPluginMode => {
  if (reader.isEmpty(MODE)) return '';
  const mode = reader.read<NetworkPluginMode | undefined>(MODE, undefined, oneOf<NetworkPluginMode>(['overlay', '']));
  if (plugin === 'none' && mode === 'overlay') {
    reader.complain('--network-plugin-mode (NETWORK_PLUGIN_MODE) is "overlay": expected nothing together with --network-plugin none');
  }
  return mode ?? (plugin === 'azure' ? 'overlay' : '');
};

const networkOf = (reader: OptionReader) => {
  const networkPlugin = reader.read({ flag: 'network-plugin', env: 'NETWORK_PLUGIN' }, 'azure', oneOf(plugins));
  return {
    networkPlugin,
    networkPluginMode: modeOf(reader, networkPlugin),
    networkPolicy: reader.read({ flag: 'network-policy', env: 'NETWORK_POLICY' }, '', anyText),
    networkDataplane: reader.isEmpty(DATAPLANE) ? '' : reader.read(DATAPLANE, 'cilium', oneOf(dataplanes)),
    dnsServiceIp: reader.read({ flag: 'dns-service-ip', env: 'DNS_SERVICE_IP' }, undefined, maybe(ipAddress)),
    vnetGuid: reader.read({ flag: 'vnet-guid', env: 'VNET_GUID' }, undefined, maybe(uuid)),
    vnetSubnetId: reader.require({ flag: 'vnet-subnet-id', env: 'VNET_SUBNET_ID' }, subnetId),
  } as const;
};

const nodesOf = (reader: OptionReader) => ({
  kubeletBootstrapToken: reader.require({ flag: 'kubelet-bootstrap-token', env: 'KUBELET_BOOTSTRAP_TOKEN' }, anyText),
  linuxAdminUsername: reader.read({ flag: 'linux-admin-username', env: 'LINUX_ADMIN_USERNAME' }, 'azureuser', linuxUser),
  sshPublicKey: reader.require({ flag: 'ssh-public-key', env: 'SSH_PUBLIC_KEY' }, anyText),
  nodeIdentities: reader.read({ flag: 'node-identities', env: 'NODE_IDENTITIES' }, [], identityIds),
  kubeletIdentityClientId: reader.read({ flag: 'kubelet-identity-client-id', env: 'KUBELET_IDENTITY_CLIENT_ID' }, '', uuid),
  additionalTags: reader.read({ flag: 'additional-tags', env: 'ADDITIONAL_TAGS' }, {}, tagMap),
  diskEncryptionSetId: reader.read(
    { flag: 'node-osdisk-diskencryptionset-id', env: 'NODE_OSDISK_DISKENCRYPTIONSET_ID' },
    undefined,
    maybe(diskEncryptionSet),
  ),
});

const galleriesOf = (reader: OptionReader): SharedGalleries | undefined => {
  const isUsed = reader.read({ flag: 'use-sig', env: 'USE_SIG' }, false, trueOrFalse);
  const take = (name: OptionName, parse: typeof absoluteUrl): string =>
    isUsed ? reader.require(name, parse) : reader.read(name, '', parse);
  const subscriptionId = take({ flag: 'sig-subscription-id', env: 'SIG_SUBSCRIPTION_ID' }, uuid);
  const tokenServerUrl = take({ flag: 'sig-access-token-server-url', env: 'SIG_ACCESS_TOKEN_SERVER_URL' }, absoluteUrl);
  return isUsed ? { subscriptionId, tokenServerUrl } : undefined;
};

const accountOf = (reader: OptionReader, env: GivenOptions['env']) => ({
  nodeResourceGroup: reader.require({ flag: 'node-resource-group', env: 'AZURE_NODE_RESOURCE_GROUP' }, anyText),
  systemNamespace: reader.read({ env: 'SYSTEM_NAMESPACE' }, undefined, maybe(anyText)),
  sharedGalleries: galleriesOf(reader),
  location: reader.require({ env: 'LOCATION' }, anyText).toLowerCase(),
  subscriptionId: reader.require({ env: env.ARM_SUBSCRIPTION_ID ? 'ARM_SUBSCRIPTION_ID' : 'AZURE_SUBSCRIPTION_ID' }, uuid),
  tenantId: reader.read({ env: env.ARM_TENANT_ID ? 'ARM_TENANT_ID' : 'AZURE_TENANT_ID' }, undefined, maybe(uuid)),
  cloud: cloudOf(reader),
  retailPricesUrl: reader.read({ flag: 'retail-prices-url', env: 'RETAIL_PRICES_URL' }, undefined, maybe(absoluteUrl)),
});

/**
 * Reads the provider's flags and environment. All that is wrong comes back at once, a sentence each. Names and defaults are the original's
 * (`pkg/operator/options`), beside `--retail-prices-url` and `--cluster-ca-bundle`.
 */
export const parseAzureOptions = (given: GivenOptions): ParsedAzureOptions => {
  const reader = optionReader(given);
  const options: AzureOptions = {
    clusterName: reader.require({ flag: 'cluster-name', env: 'CLUSTER_NAME' }, anyText),
    clusterEndpoint: reader.require({ flag: 'cluster-endpoint', env: 'CLUSTER_ENDPOINT' }, absoluteUrl),
    clusterCaBundle: reader.read({ flag: 'cluster-ca-bundle', env: 'CLUSTER_CA_BUNDLE' }, undefined, maybe(anyText)),
    vmMemoryOverheadPercent: reader.read({ flag: 'vm-memory-overhead-percent', env: 'VM_MEMORY_OVERHEAD_PERCENT' }, 0.075, notNegative),
    ...networkOf(reader),
    ...nodesOf(reader),
    ...accountOf(reader, given.env),
  };
  reader.read({ flag: 'provision-mode', env: 'PROVISION_MODE' }, 'aksscriptless', oneOf(['aksscriptless']));
  return reader.problems.length === 0 ? { ok: true, options } : { ok: false, problems: reader.problems };
};

/** The flags that `parseAzureOptions` reads, without dashes, so that an app can tell a misspelt one. */
export const azureFlags: readonly string[] = [
  'additional-tags',
  'cluster-ca-bundle',
  'cluster-endpoint',
  'cluster-name',
  'dns-service-ip',
  'kubelet-bootstrap-token',
  'kubelet-identity-client-id',
  'linux-admin-username',
  'network-dataplane',
  'network-plugin',
  'network-plugin-mode',
  'network-policy',
  'node-identities',
  'node-osdisk-diskencryptionset-id',
  'node-resource-group',
  'provision-mode',
  'retail-prices-url',
  'sig-access-token-server-url',
  'sig-subscription-id',
  'ssh-public-key',
  'use-sig',
  'vm-memory-overhead-percent',
  'vnet-guid',
  'vnet-subnet-id',
];
