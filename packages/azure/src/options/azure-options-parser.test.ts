import { describe, expect, test } from '@jest/globals';
import type { ProviderOption } from '@karpenter/core/provider-kit';
import { defaultMaxPodsOf } from './azure-options.ts';
import { azureOptionNames } from './azure-option-names.ts';
import { parseAzureOptions } from './azure-options-parser.ts';
import { requiredVariables } from '../testing/required-variables.ts';

const UUID = '11111111-2222-3333-4444-555555555555';

const problemsOfEnv = (env: Record<string, string>, flags: Record<string, string> = {}): readonly string[] => {
  const parsed = parseAzureOptions({ env: { ...requiredVariables, ...env }, flags });
  return parsed.ok ? [] : parsed.problems;
};

describe('the options of the provider', () => {
  test('the rest has the defaults of the original', () => {
    expect(parseAzureOptions({ env: requiredVariables, flags: {} })).toMatchObject({
      ok: true,
      options: {
        vmMemoryOverheadPercent: 0.075,
        linuxAdminUsername: 'azureuser',
        networkPlugin: 'azure',
        networkPluginMode: 'overlay',
        networkDataplane: 'cilium',
        nodeIdentities: [],
        cloud: { kind: 'named', name: 'AzurePublicCloud' },
      },
    });
  });

  test('a flag wins over its variable', () => {
    expect(parseAzureOptions({ env: requiredVariables, flags: { 'cluster-name': 'other' } })).toMatchObject({
      options: { clusterName: 'other' },
    });
  });

  test('everything that is missing is said at once, by flag and variable', () => {
    const parsed = parseAzureOptions({ env: {}, flags: {} });
    expect(parsed.ok ? [] : parsed.problems).toEqual([
      '--cluster-name (CLUSTER_NAME) is missing: it must be set',
      '--cluster-endpoint (CLUSTER_ENDPOINT) is missing: it must be set',
      '--vnet-subnet-id (VNET_SUBNET_ID) is missing: it must be set',
      '--kubelet-bootstrap-token (KUBELET_BOOTSTRAP_TOKEN) is missing: it must be set',
      '--ssh-public-key (SSH_PUBLIC_KEY) is missing: it must be set',
      '--node-resource-group (AZURE_NODE_RESOURCE_GROUP) is missing: it must be set',
      'LOCATION is missing: it must be set',
      'AZURE_SUBSCRIPTION_ID is missing: it must be set',
    ]);
  });

  test('F11: AZURE_* wins over ARM_*, as in the original', () => {
    const OTHER = '99999999-2222-3333-4444-555555555555';
    const both = { AZURE_SUBSCRIPTION_ID: UUID, ARM_SUBSCRIPTION_ID: OTHER, AZURE_TENANT_ID: UUID, ARM_TENANT_ID: OTHER };
    expect(parseAzureOptions({ env: { ...requiredVariables, ...both }, flags: {} })).toMatchObject({
      options: { subscriptionId: UUID, tenantId: UUID },
    });
    const { AZURE_SUBSCRIPTION_ID: _id, ...rest } = requiredVariables;
    expect(parseAzureOptions({ env: { ...rest, ARM_SUBSCRIPTION_ID: OTHER, ARM_TENANT_ID: OTHER }, flags: {} })).toMatchObject({
      options: { subscriptionId: OTHER, tenantId: OTHER },
    });
  });

  test('F14: a key may end with a new line, as the file does that it is read from', () => {
    const parsed = parseAzureOptions({ env: { ...requiredVariables, SSH_PUBLIC_KEY: 'ssh-rsa AAAA me@home\n' }, flags: {} });
    expect(parsed).toMatchObject({ ok: true, options: { sshPublicKey: 'ssh-rsa AAAA me@home' } });
  });

  test('certificates may come wrapped, as tools write base64, and other texts are refused', () => {
    const CLUSTER_CA_BUNDLE = `${'QUJD'.repeat(19)}\n${'QUJD'.repeat(5)}==\n`;
    expect(parseAzureOptions({ env: { ...requiredVariables, CLUSTER_CA_BUNDLE }, flags: {} })).toMatchObject({
      options: { clusterCaBundle: `${'QUJD'.repeat(24)}==` },
    });
    expect(problemsOfEnv({ CLUSTER_CA_BUNDLE: '-----BEGIN CERTIFICATE-----' })).toEqual([
      expect.stringMatching(/^--cluster-ca-bundle \(CLUSTER_CA_BUNDLE\) .*certificates in PEM, as base64/),
    ]);
  });

  test('the region may be written as Azure shows it', () => {
    const parsed = parseAzureOptions({ env: { ...requiredVariables, LOCATION: 'East US 2' }, flags: {} });
    expect(parsed).toMatchObject({ ok: true, options: { location: 'eastus2' } });
  });

  test('what is missing and what is wrong is said together, a line each', () => {
    const wrong = { CLUSTER_NAME: '', VNET_SUBNET_ID: '/subnets/nodes', NETWORK_PLUGIN: 'calico', SPOT_MAX_PRICE: 'cheap' };
    const problems = problemsOfEnv(wrong);
    expect(problems).toEqual([
      '--cluster-name (CLUSTER_NAME) is missing: it must be set',
      expect.stringMatching(/^--network-plugin \(NETWORK_PLUGIN\) is "calico": expected one of/),
      expect.stringMatching(/^--vnet-subnet-id \(VNET_SUBNET_ID\) is "\/subnets\/nodes": expected an ARM id/),
      expect.stringMatching(/^--spot-max-price \(SPOT_MAX_PRICE\) is "cheap": expected a price/),
    ]);
    expect(problems.filter((problem) => problem.includes('\n'))).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['CLUSTER_ENDPOINT', 'main.example', 'an absolute URL'],
    ['LOCATION', 'east-us', 'the name of a region, such as eastus'],
    ['VM_MEMORY_OVERHEAD_PERCENT', '-1', 'a number from 0 to less than 1'],
    ['VM_MEMORY_OVERHEAD_PERCENT', '7.5', 'a number from 0 to less than 1'],
    ['LINUX_ADMIN_USERNAME', '1user', 'a letter first'],
    ['NETWORK_PLUGIN', 'kubenet', 'one of azure, none'],
    ['NETWORK_DATAPLANE', 'ebpf', 'one of cilium, azure'],
    ['DNS_SERVICE_IP', 'ten', 'an IP address'],
    ['DNS_SERVICE_IP', '10.0.0.256', 'an IP address'],
    ['SPOT_MAX_PRICE', 'cheap', 'a price in USD an hour above 0'],
    ['SPOT_MAX_PRICE', '0', 'a price in USD an hour above 0'],
    ['SPOT_MAX_PRICE', '-2', 'or -1 for no maximum'],
    ['SPOT_MAX_PRICE', '0.123456', 'of up to five decimals'],
    ['SSH_PUBLIC_KEY', 'AAAA', 'a public key of OpenSSH'],
    ['SSH_PUBLIC_KEY', 'ecdsa-sha2-nistp256 AAAA', 'ssh-rsa or ssh-ed25519'],
    ['VNET_GUID', 'x', 'a UUID'],
    ['VNET_SUBNET_ID', '/subscriptions/s/subnets/x', 'an ARM id like'],
    ['NODE_IDENTITIES', 'me', 'userAssignedIdentities'],
    ['ADDITIONAL_TAGS', 'a=1,A=2', 'unique ignoring case'],
    ['ADDITIONAL_TAGS', 'a/b=1', 'key=value'],
    ['NODE_OSDISK_DISKENCRYPTIONSET_ID', '/subscriptions/s', 'diskEncryptionSets'],
    ['ARM_CLOUD', 'AzureMoonCloud', 'AzurePublicCloud'],
    ['PROVISION_MODE', 'vmss', 'one of aksscriptless, bootstrappingclient, aksmachineapi'],
    ['PROVIDER_BATCH_IDLE_DURATION', '1', 'a duration of 0 or more'],
    ['PROVIDER_BATCH_MAX_DURATION', '-1s', 'a duration of 0 or more'],
    ['PROVIDER_BATCH_MAX_SIZE', '51', 'a whole number from 1 to 50'],
    ['MANAGE_EXISTING_AKS_MACHINES', 'maybe', 'true or false'],
    ['AKS_MACHINES_POOL_NAME', 'My Pool', 'the name of an agent pool'],
    ['NODEBOOTSTRAPPING_SERVER_URL', 'http://', 'a host and port'],
    ['AZURE_ENVIRONMENT_FILEPATH', 'relative.json', 'an absolute path'],
    ['RETAIL_PRICES_URL', 'prices', 'an absolute URL'],
    ['USE_SIG', 'maybe', 'true or false'],
    ['SIG_SUBSCRIPTION_ID', 'mine', 'a UUID'],
    ['SIG_ACCESS_TOKEN_SERVER_URL', 'server', 'an absolute URL'],
  ])('%s=%s is refused with what would be right', (variable, value, wanted) => {
    const problems = problemsOfEnv({ [variable]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(variable);
    expect(problems[0]).toContain(JSON.stringify(value));
    expect(problems[0]).toContain(wanted);
  });

  test('a malformed token is refused, and not shown', () => {
    expect(problemsOfEnv({ KUBELET_BOOTSTRAP_TOKEN: 'my secret' })).toEqual([
      '--kubelet-bootstrap-token (KUBELET_BOOTSTRAP_TOKEN) is a secret of another form: expected a bootstrap token: six small letters or digits, a dot, sixteen more',
    ]);
  });

  test('two ways to name the cloud, and overlay without a plugin, are refused', () => {
    expect(problemsOfEnv({ ARM_CLOUD: 'AzurePublicCloud', AZURE_ENVIRONMENT_FILEPATH: '/etc/cloud.json' })).toHaveLength(1);
    expect(problemsOfEnv({ NETWORK_PLUGIN: 'none', NETWORK_PLUGIN_MODE: 'overlay' })).toHaveLength(1);
    expect(problemsOfEnv({ NETWORK_PLUGIN: 'none' })).toEqual([]);
  });

  test('the shared galleries are used only when that is said, and then need both their subscription and their token server', () => {
    const subscriptionId = '11111111-2222-3333-4444-666666666666';
    const galleries = { SIG_SUBSCRIPTION_ID: subscriptionId, SIG_ACCESS_TOKEN_SERVER_URL: 'http://tokens.example/aux' };
    expect(parseAzureOptions({ env: { ...requiredVariables, ...galleries }, flags: {} })).toMatchObject({
      options: { sharedGalleries: undefined },
    });
    expect(parseAzureOptions({ env: { ...requiredVariables, ...galleries, USE_SIG: 'true' }, flags: {} })).toMatchObject({
      options: { sharedGalleries: { subscriptionId, tokenServerUrl: 'http://tokens.example/aux' } },
    });
    expect(problemsOfEnv({ USE_SIG: 'true' })).toEqual([
      '--sig-subscription-id (SIG_SUBSCRIPTION_ID) is missing: it must be set',
      '--sig-access-token-server-url (SIG_ACCESS_TOKEN_SERVER_URL) is missing: it must be set',
    ]);
  });

  test('the way in which machines are made says what else it needs', () => {
    expect(problemsOfEnv({ PROVISION_MODE: 'bootstrappingclient' })).toEqual([
      'ARM_RESOURCE_GROUP is missing: it must be set',
      '--nodebootstrapping-server-url (NODEBOOTSTRAPPING_SERVER_URL) is missing: it must be set',
    ]);
    const service = { NODEBOOTSTRAPPING_SERVER_URL: 'http://nodes.example', ARM_RESOURCE_GROUP: 'rg' };
    expect(parseAzureOptions({ env: { ...requiredVariables, ...service }, flags: {} })).toMatchObject({
      options: { provisioning: { kind: 'aksscriptless' } },
    });
    expect(
      parseAzureOptions({ env: { ...requiredVariables, ...service, PROVISION_MODE: 'bootstrappingclient' }, flags: {} }),
    ).toMatchObject({
      options: { provisioning: { kind: 'bootstrappingclient', serverUrl: 'http://nodes.example', clusterResourceGroup: 'rg' } },
    });
  });

  test('the bootstrapping service is named by host and port as for the original, which calls it without TLS', () => {
    const service = { NODEBOOTSTRAPPING_SERVER_URL: '10.0.0.4:8080', ARM_RESOURCE_GROUP: 'rg', PROVISION_MODE: 'bootstrappingclient' };
    expect(parseAzureOptions({ env: { ...requiredVariables, ...service }, flags: {} })).toMatchObject({
      options: { provisioning: { serverUrl: 'http://10.0.0.4:8080' } },
    });
  });

  test('machines of an agent pool need its name and the shared galleries, and no tokens for these', () => {
    expect(problemsOfEnv({ PROVISION_MODE: 'aksmachineapi' })).toEqual([
      'ARM_RESOURCE_GROUP is missing: it must be set',
      '--aks-machines-pool-name (AKS_MACHINES_POOL_NAME) is missing: it must be set',
      '--use-sig (USE_SIG) is not set: expected true with machines of an agent pool',
    ]);
    const pool = { PROVISION_MODE: 'aksmachineapi', ARM_RESOURCE_GROUP: 'rg', AKS_MACHINES_POOL_NAME: 'machines' };
    expect(
      parseAzureOptions({ env: { ...requiredVariables, ...pool, USE_SIG: 'true', SIG_SUBSCRIPTION_ID: UUID }, flags: {} }),
    ).toMatchObject({
      options: { provisioning: { kind: 'aksmachineapi', poolName: 'machines', clusterResourceGroup: 'rg', batching: undefined } },
    });
  });

  test('the most that spot may cost is a price, or none', () => {
    const priceOf = (text: string) => parseAzureOptions({ env: { ...requiredVariables, SPOT_MAX_PRICE: text }, flags: {} });
    expect(priceOf('0.05')).toMatchObject({ options: { spotMaxPricePerHour: 0.05 } });
    expect(priceOf('-1')).toMatchObject({ ok: true, options: { spotMaxPricePerHour: undefined } });
  });

  test('machines of one request wait for each other as long as the options say', () => {
    const mode = { PROVISION_MODE: 'aksmachineapiheaderbatch', ARM_RESOURCE_GROUP: 'rg', AKS_MACHINES_POOL_NAME: 'machines' };
    const env = { ...requiredVariables, ...mode, USE_SIG: 'true', SIG_SUBSCRIPTION_ID: UUID };
    const batchingOf = (pace: Record<string, string>): unknown => parseAzureOptions({ env: { ...env, ...pace }, flags: {} });
    expect(batchingOf({})).toMatchObject({
      options: { provisioning: { kind: 'aksmachineapi', batching: { idleMs: 1000, maxMs: 5000, most: 50 } } },
    });
    expect(batchingOf({ PROVIDER_BATCH_IDLE_DURATION: '300ms', PROVIDER_BATCH_MAX_SIZE: '10' })).toMatchObject({
      options: { provisioning: { batching: { idleMs: 300, maxMs: 5000, most: 10 } } },
    });
    expect(batchingOf({ PROVIDER_BATCH_IDLE_DURATION: '6s' })).toEqual({
      ok: false,
      problems: [
        '--provider-batch-max-duration (PROVIDER_BATCH_MAX_DURATION) is shorter than --provider-batch-idle-duration: expected at least as long',
      ],
    });
    expect(problemsOfEnv({ PROVIDER_BATCH_IDLE_DURATION: '6s' })).toEqual([]);
  });

  test('machines that an agent pool has from before are known by its name and the group of the cluster', () => {
    expect(problemsOfEnv({ MANAGE_EXISTING_AKS_MACHINES: 'true' })).toEqual([
      'ARM_RESOURCE_GROUP is missing: it must be set',
      '--aks-machines-pool-name (AKS_MACHINES_POOL_NAME) is missing: it must be set',
    ]);
    const pool = { ARM_RESOURCE_GROUP: 'rg', AKS_MACHINES_POOL_NAME: 'machines' };
    const formerPoolOf = (more: Record<string, string>): unknown =>
      parseAzureOptions({ env: { ...requiredVariables, ...pool, ...more }, flags: {} });
    expect(formerPoolOf({})).toMatchObject({ options: { formerPool: undefined } });
    expect(formerPoolOf({ MANAGE_EXISTING_AKS_MACHINES: 'true' })).toMatchObject({
      options: { provisioning: { kind: 'aksscriptless' }, formerPool: { poolName: 'machines', clusterResourceGroup: 'rg' } },
    });
  });

  test('an empty plugin mode or dataplane, given on purpose, is no default', () => {
    expect(parseAzureOptions({ env: { ...requiredVariables, NETWORK_PLUGIN_MODE: '', NETWORK_DATAPLANE: '' }, flags: {} })).toMatchObject({
      options: { networkPluginMode: '', networkDataplane: '' },
    });
  });

  test.each(['calico ', 'a$b', '"a"', 'a\nKUBELET_FLAGS=--x=y'])(
    'variables of the script of nodes are refused at the start, by flag and variable, where they are more than text: %j',
    (text) => {
      expect(problemsOfEnv({ NETWORK_POLICY: text, AZURE_NODE_RESOURCE_GROUP: text })).toEqual([
        expect.stringMatching(/^--network-policy \(NETWORK_POLICY\) is .*: expected one word/s),
        expect.stringMatching(/^--node-resource-group \(AZURE_NODE_RESOURCE_GROUP\) is .*: expected a resource group/s),
      ]);
    },
  );

  test.each(['calico', 'azure', 'cilium', 'none', ''])('the policy engine %j is taken', (text) => {
    expect(problemsOfEnv({ NETWORK_POLICY: text })).toEqual([]);
  });

  test.each(['MC_group_cluster_eastus', 'a', 'Nodes(1)', `a${'b'.repeat(89)}`])('the resource group %j is taken', (text) => {
    expect(problemsOfEnv({ AZURE_NODE_RESOURCE_GROUP: text })).toEqual([]);
  });

  test.each(['a.', '-a', `a${'b'.repeat(90)}`, 'größe'])('the resource group %j is refused', (text) => {
    expect(problemsOfEnv({ AZURE_NODE_RESOURCE_GROUP: text })).toHaveLength(1);
  });

  test('every flag that is listed is read', () => {
    const flags = Object.values<ProviderOption>(azureOptionNames).flatMap(({ flag }) => flag ?? []);
    const misspelt = flags.filter((flag) => parseAzureOptions({ env: requiredVariables, flags: { [flag]: '\u0000' } }).ok);
    const freeText = ['cluster-name'];
    expect(misspelt.sort()).toEqual(freeText);
  });
});

test.each([
  ['azure', 'overlay', 250],
  ['azure', '', 30],
  ['none', '', 250],
] as const)('nodes of %s %s hold %d pods', (networkPlugin, networkPluginMode, pods) => {
  expect(defaultMaxPodsOf({ networkPlugin, networkPluginMode })).toBe(pods);
});
