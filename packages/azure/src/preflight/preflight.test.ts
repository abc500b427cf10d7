import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { labels, type NodePool } from '@karpenter/core';
import { refusal, UNKIND_AZURE } from '@karpenter/azure-emulator';
import type { AKSNodeClass } from '../apis/index.ts';
import { aNodeClass, aPool, azureWorld, type AzureWorld } from '../testing/azure-world.ts';
import { isAllowed } from './access-checks.ts';
import { preflight, type PreflightSource } from './preflight.ts';
import { type PreflightFinding, type PreflightReport, preflightText } from './report.ts';

const { signal } = new AbortController();

interface Asked extends Partial<PreflightSource> {
  readonly env?: Readonly<Record<string, string>>;
}

const reportOf = async (world: AzureWorld, { env, ...more }: Asked = {}): Promise<PreflightReport> => {
  const given = { nodePools: [], nodeClasses: [aNodeClass()], kubernetesVersion: 'v1.33.4' };
  return world.passing(preflight({ ...world.preflightSource(env), ...given, ...more }, signal));
};

/** What did not pass, in short, but for the pools that are not given here. */
const troubles = ({ findings }: PreflightReport): readonly Partial<PreflightFinding>[] =>
  findings
    .filter(({ check, status }) => status !== 'passed' && !(check === 'quota' && status === 'warning'))
    .map(({ check, status, remedy }) => ({ check, status, ...(remedy && { remedy }) }));

const pool = (...requirements: NodePool['spec']['template']['spec']['requirements'][number][]): NodePool => ({
  ...aPool,
  spec: { template: { spec: { ...aPool.spec.template.spec, requirements } } },
});
const ofSize = (size: string): NodePool => pool({ key: labels.instanceType, operator: 'In', values: [size] });
const withSpec = (spec: AKSNodeClass['spec']): AKSNodeClass => ({ ...aNodeClass(), ...(spec && { spec }) });

/** Where nothing is wrong: what a test changes it takes back. */
let usual: AzureWorld;
beforeAll(async () => {
  usual = await azureWorld();
});
afterAll(async () => {
  await usual[Symbol.asyncDispose]();
});

describe('preflight', () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['aksscriptless', {}, []],
    ['bootstrappingclient', { PROVISION_MODE: 'bootstrappingclient' }, []],
    ['aksmachineapi', { PROVISION_MODE: 'aksmachineapi' }, ['agent-pool']],
    ['aksmachineapiheaderbatch', { PROVISION_MODE: 'aksmachineapiheaderbatch' }, ['agent-pool']],
  ])('when nothing is wrong, in the mode %s › it is ready, and nothing was written', async (_, variables, more) => {
    await using world = await azureWorld({ variables });
    const report = await reportOf(world, { nodePools: [aPool] });
    expect(troubles(report)).toEqual([]);
    expect(report.isReady).toBe(true);
    expect(new Set(report.findings.map(({ check }) => check))).toEqual(
      new Set(['sign-in', 'clock', 'providers', 'region', 'api-versions', 'permissions', 'subnets', 'quota', 'images', 'egress', ...more]),
    );
    expect(world.arm.requests.all().filter(({ method, operation }) => method !== 'GET' && operation !== 'Authority_Token')).toEqual([]);
    expect(preflightText(report)).toMatch(/\nready: 0 failed, 0 unknown, 0 warnings of \d+ findings$/);
  });

  test('when the secret is wrong › only that is said', async () => {
    const world = usual;
    const report = await reportOf(world, { env: { AZURE_CLIENT_SECRET: 'wrong' } });
    expect(troubles(report)).toMatchObject([{ check: 'sign-in', status: 'failed' }]);
    expect(report.findings).toHaveLength(1);
  });

  test('when prices are not reached › a warning says what is used instead', async () => {
    const world = usual;
    const env = { RETAIL_PRICES_URL: 'https://127.0.0.1:1/prices' };
    const report = await reportOf(world, { env });
    expect(troubles(report)).toEqual([{ check: 'egress', status: 'warning' }]);
    expect(report.isReady).toBe(true);
  });

  test('when the clock is a minute off › a warning', async () => {
    const world = usual;
    const clock: PreflightSource['clock'] = {
      now: () => world.clock.now() + 60_000,
      sleep: (ms, until) => world.clock.sleep(ms, until),
      setTimeout: (fire, ms) => world.clock.setTimeout(fire, ms),
    };
    expect(troubles(await reportOf(world, { clock }))).toMatchObject([{ check: 'clock', status: 'warning' }]);
  });

  test('when no class needs a feature that is not registered › it is ready', async () => {
    await using world = await azureWorld({ behaviours: { missingFeatures: ['Microsoft.Compute/EncryptionAtHost'] } });
    expect(troubles(await reportOf(world))).toEqual([]);
  });

  test('when older api-versions are offered › it names those that will be used', async () => {
    await using world = await azureWorld({ apiVersions: UNKIND_AZURE.apiVersions });
    const { findings } = await reportOf(world);
    const versions = findings.filter(({ check }) => check === 'api-versions').map(({ message }) => message.slice(0, '2025-04-01'.length));
    expect(new Set(versions)).toEqual(new Set(['2025-04-01', '2025-01-01']));
  });

  test.each<[string, (world: AzureWorld) => string, string]>([
    ['Microsoft.Compute/virtualMachines/write', nodeGroupOf, 'Virtual Machine Contributor'],
    ['Microsoft.Network/networkInterfaces/*', nodeGroupOf, 'Network Contributor'],
    ['Microsoft.Network/virtualNetworks/subnets/join/action', ({ arm }) => arm.account.subnetId, 'Network Contributor'],
  ])('when %s is not allowed › the remedy assigns the role', async (action, scopeOf, role) => {
    const world = usual;
    const scope = scopeOf(world);
    using _denied = world.arm.access.deny({ action, scope });
    expect(troubles(await reportOf(world))).toContainEqual({
      check: 'permissions',
      status: 'failed',
      remedy: `az role assignment create --assignee ${world.arm.account.clientId} --role "${role}" --scope ${scope}`,
    });
  });

  test('when pods take addresses of the subnet › a node needs one for each', async () => {
    await using world = await azureWorld({ network: { subnets: { 'aks-subnet': '10.0.0.0/28' } } });
    const { findings } = await reportOf(world, { env: { NETWORK_PLUGIN_MODE: '', NETWORK_DATAPLANE: 'azure' } });
    expect(findings.find(({ check }) => check === 'subnets')).toMatchObject({
      status: 'failed',
      message: '11 of 11 addresses are free: 0 more nodes of 30',
    });
    const overlay = await reportOf(world, { env: { LOCATION: 'eastus' } });
    expect(overlay.findings.find(({ check }) => check === 'subnets')).toMatchObject({ status: 'passed' });
  });

  test('when a class has a pod subnet › a node needs batches of 16 of it, and one address of its own', async () => {
    await using world = await azureWorld({ network: { vnet: 'own', subnets: { nodes: '10.0.0.0/28', pods: '10.1.0.0/24' } } });
    const podSubnetID = world.arm.account.subnetId.replace(/[^/]+$/, 'pods');
    const env = { NETWORK_PLUGIN: 'azure', NETWORK_PLUGIN_MODE: '' };
    const { findings } = await reportOf(world, { env, nodeClasses: [withSpec({ podSubnetID, maxPods: 30 })] });
    expect(findings.filter(({ check }) => check === 'subnets')).toMatchObject([
      { subject: world.arm.account.subnetId, message: expect.stringContaining('11 more nodes of 1') },
      { subject: podSubnetID, message: expect.stringContaining('7 more nodes of 32') },
    ]);
  });

  test('when one of several subnets of a class is full › it is a warning', async () => {
    await using world = await azureWorld({ network: { vnet: 'own', subnets: { nodes: '10.0.0.0/24', more: '10.1.0.0/29' } } });
    const more = world.arm.account.subnetId.replace(/[^/]+$/, 'more');
    const env = { NETWORK_PLUGIN: 'azure', NETWORK_PLUGIN_MODE: '' };
    const several = await reportOf(world, { env, nodeClasses: [withSpec({ additionalSubnetIDs: [more], maxPods: 30 })] });
    expect(several.findings.find(({ check, subject }) => check === 'subnets' && subject === more)).toMatchObject({
      status: 'warning',
      message: expect.stringContaining(': 0 more nodes of 30'),
    });
    const alone = await reportOf(world, { env, nodeClasses: [withSpec({ vnetSubnetID: more, maxPods: 30 })] });
    expect(alone.findings.find(({ check, subject }) => check === 'subnets' && subject === more)).toMatchObject({ status: 'failed' });
  });

  test('when the agent pool of the machines is not there › it fails, with the call that makes it', async () => {
    await using world = await azureWorld({ variables: { PROVISION_MODE: 'aksmachineapi' } });
    const { findings } = await reportOf(world, { env: { AKS_MACHINES_POOL_NAME: 'other' } });
    const remedy = expect.stringMatching(/az rest --method put --url '.*agentPools\/other\?api-version=.*"mode":"Machines"/);
    expect(findings.filter(({ check }) => check === 'agent-pool')).toMatchObject([{ status: 'failed', remedy }]);
  });

  test('when quotas are used up › each pool says what it has left', async () => {
    await using world = await azureWorld({ quotas: { families: { standardDSv3Family: 1 } } });
    const nodePools = [ofSize('Standard_D2s_v3'), aPool, ofSize('Standard_E2s_v3')];
    const { findings } = await reportOf(world, { nodePools });
    const remedy = expect.stringContaining('az quota update --resource-name standardDSv3Family');
    expect(findings.filter(({ check }) => check === 'quota')).toMatchObject([
      { status: 'failed', remedy },
      { status: 'warning', remedy },
      { status: 'passed' },
    ]);
  });

  test('when the quota of the region or of spot is used up › the pool has nothing', async () => {
    await using world = await azureWorld({ quotas: { cores: 1, lowPriorityCores: 1 } });
    const spot = pool({ key: labels.capacityType, operator: 'In', values: ['spot'] });
    const { findings } = await reportOf(world, { nodePools: [aPool, spot, ofSize('Standard_X99')] });
    const quota = findings.filter(({ check }) => check === 'quota');
    expect(quota.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    expect(quota[0]?.remedy).toMatch(/--resource-name cores .* --limit-object value=NEW_LIMIT --resource-type dedicated$/);
    expect(quota[1]?.remedy).toMatch(/--resource-name lowPriorityCores .* --resource-type lowPriority$/);
  });

  test('when Azure is not well › what it did not say is unknown, and the report is not ready', async () => {
    const world = usual;
    const effect = { kind: 'refuse', refusal: refusal(500, 'InternalServerError', 'Azure is not well') } as const;
    using _fault = world.arm.faults.add({ operation: 'Usage_List', effect });
    const report = await reportOf(world);
    expect(troubles(report)).toEqual([{ check: 'quota', status: 'unknown' }]);
    expect(report.isReady).toBe(false);
    expect(preflightText(report)).toContain('?    quota');
  });
});

function nodeGroupOf({ arm: { account } }: AzureWorld): string {
  return `/subscriptions/${account.subscriptionId}/resourceGroups/${account.nodeResourceGroup}`;
}

test('one role takes nothing back from another', () => {
  const contributor = { actions: ['*'], notActions: ['Microsoft.Compute/*/write'] };
  const machines = { actions: ['microsoft.compute/virtualMachines/*'], notActions: [] };
  expect(isAllowed('Microsoft.Compute/virtualMachines/write', [contributor])).toBe(false);
  expect(isAllowed('Microsoft.Compute/virtualMachines/write', [contributor, machines])).toBe(true);
  expect(isAllowed('Microsoft.Compute/disks/write', [machines])).toBe(false);
});
