import { expect, jest, test } from '@jest/globals';
import { parseAzureOptions } from '@karpenter/azure';
import { charts, describeWithHelm, helm } from './helm.ts';
import { neededValues, renderChart } from './rendered.ts';
import { variableOf } from './variable-of.ts';

jest.setTimeout(60_000);

/** What the provider would refuse at its start. */
const wrongOfAzure: readonly (readonly [value: string, wrong: string])[] = [
  ['additionalTags', 'team'],
  ['aksMachinesPoolName', 'Machines'],
  ['armCloud', 'TheirCloud'],
  ['armTenantId', 'ours'],
  ['capacityReservationGroups', 'reserved'],
  ['clusterEndpoint', 'https://:443'],
  ['apiVersions', 'Microsoft.Compute=newest'],
  ['committedPrices', 'cheap'],
  ['dnsServiceIp', '999.1.1.1'],
  ['kubeletIdentityClientId', 'kubelet'],
  ['linuxAdminUsername', '9lives'],
  ['location', 'east-us'],
  ['nodeIdentities', 'kubelet'],
  ['nodeOsdiskDiskencryptionsetId', 'keys'],
  ['nodebootstrappingServerUrl', 'http://'],
  ['providerBatchIdleDuration', '5'],
  ['providerBatchMaxDuration', 'long'],
  ['retailPricesUrl', 'prices'],
  ['sigAccessTokenServerUrl', 'tokens'],
  ['sigSubscriptionId', 'aks'],
  ['sshPublicKey', 'AAAA'],
  ['spotMaxPrice', '0'],
  ['vnetGuid', 'vnet'],
];

/** Nothing wrong with these; each tries what a pattern could have left out. */
const rightOfAzure = {
  additionalTags: 'team=a, Cost Centre=1=2,empty=',
  aksMachinesPoolName: 'machines1',
  armCloud: 'AzureChinaCloud',
  armTenantId: 'AAAAAAAA-2222-3333-4444-555555555555',
  capacityReservationGroups:
    '/subscriptions/11111111-2222-3333-4444-555555555555/resourcegroups/rg/providers/microsoft.compute/capacityReservationGroups/a, /subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg/providers/Microsoft.Compute/capacityReservationGroups/b',
  apiVersions: 'Microsoft.Network=2024-05-01, Microsoft.Compute/virtualMachines=2025-04-01',
  committedPrices: 'Standard_D4s_v5=0.11, Ds_v5=-37.5%,*=-10%',
  dnsServiceIp: 'fd00:10::a',
  linuxAdminUsername: 'ops-team_1',
  location: 'East US 2',
  nodeIdentities:
    '/subscriptions/s/resourcegroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/a,/subscriptions/s/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/b',
  nodeOsdiskDiskencryptionsetId: '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/diskEncryptionSets/keys',
  nodebootstrappingServerUrl: 'bootstrap.internal:8080',
  providerBatchIdleDuration: '1m1.5s',
  retailPricesUrl: 'https://prices.azure.com/api/retail/prices',
  spotMaxPrice: '0.00125',
};

/** What machines of an agent pool need beside. */
const ofAgentPool = {
  useSig: true,
  sigSubscriptionId: '11111111-2222-3333-4444-555555555555',
  armResourceGroup: 'rg',
  aksMachinesPoolName: 'machines',
};

const problemsOf = (azure: Readonly<Record<string, unknown>>): readonly string[] => {
  const entries = Object.entries(azure).map(([key, value]): readonly [string, string] => [variableOf(key), String(value)]);
  const env = { KUBELET_BOOTSTRAP_TOKEN: 'abcdef.0123456789abcdef', ...Object.fromEntries(entries) };
  const parsed = parseAzureOptions({ env, flags: {} });
  return parsed.ok ? [] : parsed.problems;
};

describeWithHelm('values that are wrong', () => {
  test('are those that the provider refuses, and no others', () => {
    for (const [value, wrong] of wrongOfAzure) {
      expect(problemsOf({ ...neededValues.azure, [value]: wrong })).toEqual([expect.stringContaining(variableOf(value))]);
    }
    const azure = { ...neededValues.azure, ...rightOfAzure };
    expect(problemsOf(azure)).toEqual([]);
    expect(helm('template', charts.controller, { ...neededValues, azure }).stderr).toBe('');
  });

  test('one message names all missing values', () => {
    const { code, stderr } = helm('template', charts.controller);
    expect(code).not.toBe(0);
    for (const path of Object.keys(neededValues.azure)) expect(stderr).toContain(`azure.${path}`);
    expect(stderr).toContain('kubeletBootstrapToken.existingSecret');
    expect(stderr).toContain('scripts/configure-values');
  });

  test.each([
    ['a value that nobody knows', { settings: { batchIdleDuraton: '1s' } }, /settings.*batchIdleDuraton/s],
    ['a word outside the choices', { settings: { logLevel: 'loud' } }, /settings[./]logLevel.*'debug', 'info', 'warn'/s],
    ['a gate that does not exist', { settings: { featureGates: { nodeRepare: true } } }, /featureGates.*nodeRepare/s],
    ['a text for a number', { settings: { metricsPort: 'http' } }, /settings[./]metricsPort.*integer/s],
    ['a number too large for a port', { settings: { healthProbePort: 70_000 } }, /settings[./]healthProbePort.*65,?535/s],
    ['a duration without a unit', { settings: { batchMaxDuration: '10' } }, /settings[./]batchMaxDuration/],
    [
      'a subscription that is no id',
      { azure: { ...neededValues.azure, azureSubscriptionId: 'production' } },
      /azure[./]azureSubscriptionId/,
    ],
    ['a token that is none', { kubeletBootstrapToken: { value: 'secret' } }, /kubeletBootstrapToken[./]value/],
    ['a range that is none', { networkPolicy: { egressCidrs: ['10.0.0.0/33'] } }, /networkPolicy[./]egressCidrs[./]0/],
    ['a range of IPv6 that is none', { networkPolicy: { egressCidrs: ['fd00::/129'] } }, /networkPolicy[./]egressCidrs[./]0/],
    ['no range at all', { networkPolicy: { egressCidrs: [] } }, /networkPolicy[./]egressCidrs/],
    ['a budget by what stays', { podDisruptionBudget: { minAvailable: 2 } }, /podDisruptionBudget.*minAvailable/s],
    ['a budget of more than all', { podDisruptionBudget: { maxUnavailable: '101%' } }, /podDisruptionBudget[./]maxUnavailable/],
    ['a priority that is no name', { priorityClassName: 'Most Critical' }, /priorityClassName/],
    ['a namespace that is no name', { azure: { ...neededValues.azure, systemNamespace: 'kube system' } }, /azure[./]systemNamespace/],
    ['fewer replicas than none', { replicas: -1 }, /replicas.*got -1, want 0/],
    ['a tag in the repository', { image: { repository: 'ghcr.io/karpenter-ts/controller:1' } }, /image[./]repository/],
    ['a tag that is none', { image: { tag: 'my tag' } }, /image[./]tag/],
    ['the name of a secret alone', { imagePullSecrets: ['registry'] }, /imagePullSecrets[./]0.*got string, want object/],
    ['cores that are none', { resources: { requests: { cpu: 'lots' } } }, /resources[./]requests[./]cpu/],
    ['memory that is less than none', { resources: { requests: { memory: -1 } } }, /resources[./]requests[./]memory.*got -1, want 0/],
    ['a number in the environment', { extraEnv: [{ name: 'PORT', value: 80 }] }, /extraEnv[./]0[./]value.*got number, want string/],
    ['a subnet that is no ARM id', { azure: { ...neededValues.azure, vnetSubnetId: 'nodes' } }, /azure[./]vnetSubnetId/],
    ...wrongOfAzure.map(([value, wrong]): readonly [string, object, RegExp] => [
      `azure.${value} ${wrong}`,
      { azure: { ...neededValues.azure, [value]: wrong } },
      new RegExp(`azure[./]${value}`),
    ]),
  ])('%s is refused where it stands', (_what, values, says) => {
    const { code, stderr } = helm('template', charts.controller, { ...neededValues, ...values });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(says);
  });

  test.each<[string, object, RegExp]>([
    [
      'several replicas that do not ask who leads',
      { settings: { disableLeaderElection: true } },
      /settings\.disableLeaderElection with more than one replica/,
    ],
    [
      'pods that are waited for longer than a batch may take',
      { settings: { batchIdleDuration: '1m' } },
      /settings\.batchIdleDuration 1m is longer than settings\.batchMaxDuration 10s/,
    ],
    [
      'machines that are waited for longer than a batch may take',
      { azure: { ...ofAgentPool, provisionMode: 'aksmachineapiheaderbatch', providerBatchIdleDuration: '5001ms' } },
      /azure\.providerBatchIdleDuration 5001ms is longer than azure\.providerBatchMaxDuration 5s/,
    ],
    [
      'reservations with machines that are made out of none',
      { azure: { ...ofAgentPool, provisionMode: 'aksmachineapi', capacityReservationGroups: rightOfAzure.capacityReservationGroups } },
      /azure\.capacityReservationGroups with azure\.provisionMode aksmachineapi, whose machines are made out of none/,
    ],
    [
      'machines from before of a pool that is not named',
      { azure: { manageExistingAksMachines: true } },
      /missing: azure\.armResourceGroup, azure\.aksMachinesPoolName;/,
    ],
    ['one port for two servers', { settings: { metricsPort: 8081 } }, /metricsPort and settings\.healthProbePort are both 8081/],
    [
      'a network plugin without modes, with one',
      { azure: { networkPlugin: 'none' } },
      /networkPlugin none has no azure\.networkPluginMode/,
    ],
    ['two clouds', { azure: { armCloud: 'AzureChinaCloud', azureEnvironmentFilepath: '/cloud.json' } }, /both name a cloud/],
    [
      'two tokens',
      { kubeletBootstrapToken: { existingSecret: 'joining', value: 'abcdef.0123456789abcdef' } },
      /kubeletBootstrapToken names an existingSecret and a value/,
    ],
    [
      'an environment variable that a value sets',
      {
        extraEnv: [
          { name: 'LOG_LEVEL', value: 'debug' },
          { name: 'VNET_GUID', value: 'x' },
        ],
      },
      /contradict each other: extraEnv names LOG_LEVEL, which has a value of the chart\n/,
    ],
    [
      'an environment variable that comes twice',
      {
        extraEnv: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
      },
      /contradict each other: extraEnv names A twice\n/,
    ],
    [
      'an option whose role only its value grants',
      { extraEnv: [{ name: 'SCHEDULER_CONFIG', value: '/spread.yaml' }] },
      /extraEnv names SCHEDULER_CONFIG, for which only settings\.schedulerConfig grants the role/,
    ],
    [
      'a budget that would let no node be drained',
      { podDisruptionBudget: { maxUnavailable: 0 } },
      /podDisruptionBudget\.maxUnavailable 0 lets no node be drained/,
    ],
    [
      'a budget of no percent',
      { podDisruptionBudget: { maxUnavailable: '0%' } },
      /podDisruptionBudget\.maxUnavailable 0% lets no node be drained/,
    ],
    [
      'more memory asked for than there may be',
      { resources: { requests: { memory: '1.5Gi' } } },
      /resources\.requests\.memory 1\.5Gi is more than resources\.limits\.memory 1Gi/,
    ],
    [
      'what is denied and let through',
      { admissionPolicies: { validationActions: ['Deny', 'Warn'] } },
      /admissionPolicies\.validationActions names Deny and Warn/,
    ],
    [
      'labels by which objects are found',
      { additionalLabels: { 'app.kubernetes.io/name': 'x' } },
      /additionalLabels names app\.kubernetes\.io\/name/,
    ],
    [
      'a rolling update of what must not act side by side',
      { replicas: 1, settings: { disableLeaderElection: true }, strategy: { type: 'RollingUpdate' } },
      /settings\.disableLeaderElection with a strategy whose type is not Recreate/,
    ],
    [
      'a rolling update that is none',
      { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
      /strategy of type Recreate has no rollingUpdate/,
    ],
    ['a second controller', { sidecarContainers: [{ name: 'controller', image: 'x' }] }, /sidecarContainers names controller/],
    ['labels by which pods are found', { podLabels: { 'app.kubernetes.io/name': 'x' } }, /podLabels names app\.kubernetes\.io\/name/],
    ['galleries that are half named', { azure: { useSig: true } }, /missing: azure\.sigSubscriptionId, azure\.sigAccessTokenServerUrl;/],
    [
      'a service that is not named',
      { azure: { provisionMode: 'bootstrappingclient' } },
      /missing: azure\.armResourceGroup, azure\.nodebootstrappingServerUrl;/,
    ],
    [
      'an agent pool that is not named',
      { azure: { provisionMode: 'aksmachineapi' } },
      /missing: azure\.armResourceGroup, azure\.aksMachinesPoolName, azure\.useSig;/,
    ],
    [
      'no agent pool, although its machines are created in batches',
      { azure: { provisionMode: 'aksmachineapiheaderbatch', useSig: true } },
      /missing: azure\.sigSubscriptionId, azure\.armResourceGroup, azure\.aksMachinesPoolName;/,
    ],
    ['a group that is taken away', { settings: { featureGates: null } }, /settings.*missing property 'featureGates'/],
    ['a name that is none', { fullnameOverride: 'Foo_Bar' }, /fullnameOverride/],
    ['an interval that is none', { metrics: { serviceMonitor: { interval: 'often' } } }, /metrics[./]serviceMonitor[./]interval/],
  ])('%s: the message says so', (_what, values, says) => {
    const azure = { ...neededValues.azure, ...('azure' in values ? (values.azure as object) : {}) };
    const { code, stderr } = helm('template', charts.controller, { ...neededValues, ...values, azure });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(says);
  });

  test('a budget of none may stand where there is no budget', () => {
    const objects = renderChart({ ...neededValues, podDisruptionBudget: { enabled: false, maxUnavailable: 0 } });
    expect(objects.map(({ kind }) => kind)).not.toContain('PodDisruptionBudget');
  });

  test('one message lists all contradictions and all missing values', () => {
    const { stderr } = helm('template', charts.controller, { settings: { disableLeaderElection: true, metricsPort: 8081 } });
    expect(stderr).toMatch(/values are missing: .*values contradict each other: .*disableLeaderElection.*; .*8081/);
  });
});
