const each = (names: readonly string[], value: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, value]));

/** What a node does without. */
const OFF = each(
  [
    'DISABLE_SSH',
    'ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED',
    'ENABLE_HOSTS_CONFIG_AGENT',
    'ENABLE_IMDS_RESTRICTION',
    'ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION',
    'ENABLE_SECURE_TLS_BOOTSTRAPPING',
    'ENABLE_UNATTENDED_UPGRADES',
    'ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE',
    'GPU_NEEDS_FABRIC_MANAGER',
    'HAS_CUSTOM_SEARCH_DOMAIN',
    'HAS_KUBELET_DISK_TYPE',
    'INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE',
    'IPV6_DUAL_STACK_ENABLED',
    'IS_CUSTOM_CLOUD',
    'IS_KATA',
    'IS_KRUSTLET',
    'KUBELET_CONFIG_FILE_ENABLED',
    'LOAD_BALANCER_DISABLE_OUTBOUND_SNAT',
    'MIG_NODE',
    'NEEDS_DOCKER_LOGIN',
    'SGX_NODE',
    'SHOULD_CONFIGURE_CUSTOM_CA_TRUST',
    'SHOULD_CONFIGURE_HTTP_PROXY',
    'SHOULD_CONFIGURE_HTTP_PROXY_CA',
    'SHOULD_CONFIG_SWAP_FILE',
    'SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE',
    'TELEPORT_ENABLED',
  ],
  'false',
);

const ON = each(
  [
    'CLOUDPROVIDER_BACKOFF',
    'CLOUDPROVIDER_RATELIMIT',
    'ENABLE_TLS_BOOTSTRAPPING',
    'EXCLUDE_MASTER_FROM_STANDARD_LB',
    'IS_VHD',
    'NEEDS_CGROUPV2',
    'NEEDS_CONTAINERD',
    'USE_INSTANCE_METADATA',
    'USE_MANAGED_IDENTITY_EXTENSION',
  ],
  'true',
);

/** What has its place in the image already, or belongs to what is off. */
const UNSET = each(
  [
    'APISERVER_PUBLIC_KEY',
    'AZURE_ENVIRONMENT_FILEPATH',
    'AZURE_PRIVATE_REGISTRY_SERVER',
    'CONTAINERD_DOWNLOAD_URL_BASE',
    'CONTAINERD_PACKAGE_URL',
    'CONTAINERD_VERSION',
    'CUSTOM_ENV_JSON',
    'CUSTOM_KUBE_BINARY_URL',
    'CUSTOM_SEARCH_DOMAIN_NAME',
    'CUSTOM_SEARCH_REALM_PASSWORD',
    'CUSTOM_SEARCH_REALM_USER',
    'DHCPV6_CONFIG_FILEPATH',
    'DHCPV6_SERVICE_FILEPATH',
    'GPU_INSTANCE_PROFILE',
    'HTTPS_PROXY_URLS',
    'HTTP_PROXY_TRUSTED_CA',
    'HTTP_PROXY_URLS',
    'HYPERKUBE_URL',
    'KUBELET_CLIENT_CERT_CONTENT',
    'KUBELET_CLIENT_CONTENT',
    'KUBELET_CONFIG_FILE_CONTENT',
    'KUBEPROXY_URL',
    'MESSAGE_OF_THE_DAY',
    'MOBY_VERSION',
    'NETWORK_MODE',
    'NO_PROXY_URLS',
    'PRIMARY_AVAILABILITY_SET',
    'PRIMARY_SCALE_SET',
    'RUNC_PACKAGE_URL',
    'RUNC_VERSION',
    'TELEPORTD_PLUGIN_DOWNLOAD_URL',
    'THP_DEFRAG',
    'THP_ENABLED',
  ],
  '',
);

/** Where the image keeps its scripts: the first of them reads the others by these names, and ends where one is missing. */
const SCRIPTS = {
  CSE_CONFIG_FILEPATH: '/opt/azure/containers/provision_configs.sh',
  CSE_DISTRO_HELPERS_FILEPATH: '/opt/azure/containers/provision_source_distro.sh',
  CSE_DISTRO_INSTALL_FILEPATH: '/opt/azure/containers/provision_installs_distro.sh',
  CSE_HELPERS_FILEPATH: '/opt/azure/containers/provision_source.sh',
  CSE_INSTALL_FILEPATH: '/opt/azure/containers/provision_installs.sh',
  CUSTOM_SEARCH_DOMAIN_FILEPATH: '/opt/azure/containers/setup-custom-search-domains.sh',
} as const;

/**
 * What the scripts in an AKS node image read and what is the same on every node.
 * Source: AgentBaker's contract with them, as in the original's `pkg/providers/imagefamily/bootstrap`.
 */
export const CONSTANT_VARIABLES: Readonly<Record<string, string>> = {
  ...OFF,
  ...ON,
  ...UNSET,
  ...SCRIPTS,
  ADMINUSER: 'azureuser',
  CLI_TOOL: 'ctr',
  CLOUDPROVIDER_BACKOFF_DURATION: '5',
  CLOUDPROVIDER_BACKOFF_EXPONENT: '0',
  CLOUDPROVIDER_BACKOFF_JITTER: '0',
  CLOUDPROVIDER_BACKOFF_MODE: 'v2',
  CLOUDPROVIDER_BACKOFF_RETRIES: '6',
  CLOUDPROVIDER_RATELIMIT_BUCKET: '100',
  CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE: '100',
  CLOUDPROVIDER_RATELIMIT_QPS: '10',
  CLOUDPROVIDER_RATELIMIT_QPS_WRITE: '10',
  CONTAINER_RUNTIME: 'containerd',
  CSE_TIMEOUT: '15m',
  CUSTOM_CA_TRUST_COUNT: '0',
  LOAD_BALANCER_SKU: 'Standard',
  MAXIMUM_LOADBALANCER_RULE_COUNT: '250',
  MCR_REPOSITORY_BASE: 'mcr.microsoft.com',
  OUTBOUND_COMMAND: 'curl -v --insecure --proxy-insecure https://mcr.microsoft.com/v2/',
  SERVICE_PRINCIPAL_CLIENT_ID: 'msi',
  SWAP_FILE_SIZE_MB: '0',
  TARGET_CLOUD: 'AzurePublicCloud',
  TARGET_ENVIRONMENT: 'AzurePublicCloud',
  VM_TYPE: 'standard',
};
