import { describe, expect, test } from '@jest/globals';
import { type ArmBehaviours, ARTIFACT_STREAMING_FEATURE, ENCRYPTION_AT_HOST_FEATURE } from './behaviours.ts';
import { AKS_MODELS_VERSION } from './data/aks-models.ts';
import { aVm, NIC, VM } from './fixtures/a-vm.ts';
import { type Answer, type Wire, wire } from './fixtures/wire.ts';
import { UNKIND_AZURE } from './options.ts';

const BILLING = `${VM}/extensions/billing`;

const nic = ({ emulator: { account } }: Wire): object => ({
  location: 'eastus',
  properties: {
    ipConfigurations: [
      {
        name: 'a',
        properties: {
          primary: true,
          subnet: { id: account.subnetId },
          loadBalancerBackendAddressPools: account.backendPoolIds.map((id) => ({ id })),
        },
      },
    ],
    networkSecurityGroup: { id: account.networkSecurityGroupId },
  },
});

const vm = (on: Wire, changes: object = {}): object => aVm(on, 'Standard_D4s_v3', changes);

const extension = {
  location: 'eastus',
  properties: { publisher: 'Microsoft.AKS', type: 'Compute.AKS.Linux.Billing', typeHandlerVersion: '1.0', settings: {} },
};

/** An Azure with some behaviours, and a running machine unless it is said otherwise. */
const anAzureWith = async (behaviours: Partial<ArmBehaviours>, { isEmpty = false } = {}): Promise<Wire> => {
  const on = await wire({ behaviours });
  if (isEmpty) return on;
  await on.call(`PUT ${on.group}/${NIC}`, { body: nic(on) });
  await on.clock.advance(2_000);
  await on.call(`PUT ${on.group}/${VM}`, { body: vm(on) });
  await on.clock.advance(20_000);
  return on;
};

const machine = {
  properties: {
    nodeImageVersion: 'AKSUbuntu-2204gen2containerd-202610.06.0',
    hardware: { vmSize: 'Standard_D4s_v3' },
    operatingSystem: { osType: 'Linux', osSKU: 'Ubuntu2204', osDiskSizeGB: 128 },
    kubernetes: { nodeLabels: {}, orchestratorVersion: '1.33.4', maxPods: 30 },
    tags: { team: 'web' },
  },
};
const streaming = { ...machine.properties.kubernetes, artifactStreamingProfile: { enabled: false } };

const ofPool = (
  on: Wire,
  method: string,
  { body, headers = {} }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> => {
  const { account } = on.emulator;
  const cluster = `/subscriptions/${account.subscriptionId}/resourceGroups/${account.clusterResourceGroup}/providers/Microsoft.ContainerService/managedClusters/${account.clusterName}`;
  const url = `${cluster}/agentPools/${account.machinesPoolName}/machines/a?api-version=${AKS_MODELS_VERSION}`;
  return on.call(`${method} ${url}`, { body, headers });
};

const propertiesOf = ({ body }: Answer): Readonly<Record<string, unknown>> => (body as { properties: Record<string, unknown> }).properties;
const CONFLICT = { status: 409, body: { error: { code: 'Conflict' } } };

describe('extensions and their machine', () => {
  test('with `extensionsById` a list names extensions by id only; a single machine shows them whole', async () => {
    await using on = await anAzureWith({ extensionsById: true });
    await on.call(`PUT ${on.group}/${BILLING}`, { body: extension });
    const id = `${on.group}/${BILLING}`;
    const listed = await on.call(`GET ${on.group}/Microsoft.Compute/virtualMachines`);
    expect((listed.body as { value: { resources: unknown }[] }).value[0]?.resources).toEqual([{ id }]);
    const single = await on.call(`GET ${on.group}/${VM}`);
    expect((single.body as { resources: unknown[] }).resources).toMatchObject([{ id, name: 'billing' }]);
  });

  test('with `exclusiveVms` a machine is not written while an extension is, and not the other way round', async () => {
    await using on = await anAzureWith({ exclusiveVms: true });
    await on.call(`PUT ${on.group}/${BILLING}`, { body: extension });
    expect(await on.call(`PATCH ${on.group}/${VM}`, { body: { tags: { team: 'web' } } })).toMatchObject(CONFLICT);
    await on.clock.advance(5_000);
    expect(await on.call(`PATCH ${on.group}/${VM}`, { body: { tags: { team: 'web' } } })).toMatchObject({ status: 200 });
    expect(await on.call(`PATCH ${on.group}/${BILLING}`, { body: { tags: { team: 'web' } } })).toMatchObject(CONFLICT);
    await on.clock.advance(3_000);
    expect(await on.call(`PATCH ${on.group}/${BILLING}`, { body: { tags: { team: 'web' } } })).toMatchObject({ status: 200 });
  });
});

describe('a network that somebody else writes', () => {
  test.each([
    ['a subnet', (on: Wire) => on.emulator.account.subnetId, 'PutSubnetOperation'],
    ['a security group', (on: Wire) => on.emulator.account.networkSecurityGroupId, 'PutSecurityRuleOperation'],
    [
      'a load balancer',
      (on: Wire) => (on.emulator.account.backendPoolIds[0] ?? '').replace(/\/backendAddressPools\/.*/, ''),
      'PutLoadBalancerOperation',
    ],
  ])('while %s is written, interfaces that name it get 429, which is no throttling', async (_, idOf, operation) => {
    await using on = await anAzureWith({}, { isEmpty: true });
    on.emulator.updateNetwork(idOf(on), 5_000);
    expect(await on.call(`PUT ${on.group}/${NIC}`, { body: nic(on) })).toMatchObject({
      status: 429,
      headers: { 'retry-after': '10', 'x-ms-ratelimit-remaining-subscription-writes': '199' },
      body: {
        error: {
          code: 'RetryableError',
          details: [{ code: 'ReferencedResourceNotProvisioned', message: expect.stringContaining(operation) }],
        },
      },
    });
    await on.clock.advance(5_000);
    expect(await on.call(`PUT ${on.group}/${NIC}`, { body: nic(on) })).toMatchObject({ status: 201 });
  });

  test('with `networkWrites` it happens by itself, by the clock', async () => {
    await using on = await anAzureWith({ networkWrites: { everyMs: 60_000, forMs: 8_000 } }, { isEmpty: true });
    expect(await on.call(`PUT ${on.group}/${NIC}`, { body: nic(on) })).toMatchObject({ status: 429 });
    await on.clock.advance(8_000);
    expect(await on.call(`PUT ${on.group}/${NIC}`, { body: nic(on) })).toMatchObject({ status: 201 });
  });
});

describe('machines of an agent pool', () => {
  test('with `lateResourceIds` name their VM only once there is one', async () => {
    await using on = await anAzureWith({ lateResourceIds: true }, { isEmpty: true });
    expect(propertiesOf(await ofPool(on, 'PUT', { body: machine }))).not.toHaveProperty('resourceId');
    await on.clock.advance(2_000);
    expect(propertiesOf(await ofPool(on, 'GET'))['resourceId']).toMatch(/\/virtualMachines\/aks-.+-a-\d{8}-vm$/);
  });

  test('with `movingETags` are written by AKS itself before the first conditional write', async () => {
    await using on = await anAzureWith({ movingETags: true }, { isEmpty: true });
    const read = propertiesOf(await ofPool(on, 'PUT', { body: machine }));
    expect(await ofPool(on, 'PUT', { body: machine, headers: { 'If-Match': String(read['eTag']) } })).toMatchObject({ status: 412 });
    const again = propertiesOf(await ofPool(on, 'GET'));
    expect(await ofPool(on, 'PUT', { body: machine, headers: { 'If-Match': String(again['eTag']) } })).toMatchObject({ status: 200 });
  });

  test('with `ownImageVersions` get the newest image whatever they ask for', async () => {
    await using on = await anAzureWith({ ownImageVersions: true }, { isEmpty: true });
    expect(propertiesOf(await ofPool(on, 'PUT', { body: machine }))['nodeImageVersion']).toBe('AKSUbuntu-2204gen2containerd-202611.03.0');
  });

  test.each([
    [AKS_MODELS_VERSION, 'AKSUbuntu-2204gen2containerd-202611.03.0'],
    ['2026-01-02-preview', 'AKSUbuntu-2204gen2containerd-202610.06.0'],
  ])('with `ownImageVersions` for calls at %s › get %s at the version of the models', async (version, image) => {
    await using on = await anAzureWith({ ownImageVersions: [version] }, { isEmpty: true });
    expect(propertiesOf(await ofPool(on, 'PUT', { body: machine }))['nodeImageVersion']).toBe(image);
  });

  test('are refused where a member needs a feature that is missing, even to switch it off', async () => {
    await using on = await anAzureWith({ missingFeatures: [ARTIFACT_STREAMING_FEATURE] }, { isEmpty: true });
    expect(await ofPool(on, 'PUT', { body: { properties: { ...machine.properties, kubernetes: streaming } } })).toMatchObject({
      status: 400,
      body: { code: 'BadRequest', message: expect.stringContaining(`Feature ${ARTIFACT_STREAMING_FEATURE} is not enabled`) },
    });
    expect(await ofPool(on, 'PUT', { body: machine })).toMatchObject({ status: 201 });
  });
});

test('a VM whose encryption at the host is not registered is refused', async () => {
  await using on = await anAzureWith({ missingFeatures: [ENCRYPTION_AT_HOST_FEATURE] }, { isEmpty: true });
  await on.call(`PUT ${on.group}/${NIC}`, { body: nic(on) });
  await on.clock.advance(2_000);
  expect(await on.call(`PUT ${on.group}/${VM}`, { body: vm(on, { securityProfile: { encryptionAtHost: true } }) })).toMatchObject({
    status: 400,
    body: { error: { code: 'InvalidParameter', target: 'securityProfile.encryptionAtHost' } },
  });
});

test('an api-version that a provider is not registered with is refused, with those that it is', async () => {
  await using on = await wire({ apiVersions: { 'Microsoft.Network': ['2024-05-01', '2025-01-01'] } });
  expect(await on.call(`GET ${on.group}/${NIC}?api-version=2026-01-01`)).toMatchObject({
    status: 400,
    body: {
      error: {
        code: 'NoRegisteredProviderFound',
        message: expect.stringMatching(/for type 'networkInterfaces'\. The supported api-versions are '2024-05-01, 2025-01-01'/),
      },
    },
  });
  expect(await on.call(`GET ${on.group}/${NIC}?api-version=2025-01-01`)).toMatchObject({ status: 404 });
});

test('the unkind Azure throttles, and says what Compute grants', async () => {
  await using on = await wire(UNKIND_AZURE);
  const listed = await on.call(`GET ${on.group}/Microsoft.Compute/virtualMachines?api-version=2025-04-01`);
  expect(listed.headers).toMatchObject({
    'x-ms-ratelimit-remaining-subscription-reads': '249',
    'x-ms-ratelimit-remaining-resource': 'Microsoft.Compute/GetVM3Min;249,Microsoft.Compute/GetVM30Min;1245',
  });
});

const GRAPH = '/providers/Microsoft.ResourceGraph/resources?api-version=2024-04-01';
const MINUTE_MS = 60_000;

describe('the unkind Azure takes its time', () => {
  /** The unkind Azure, where nothing writes the network, with a machine that was written at this moment. */
  const withNewVm = async (): Promise<Wire> => {
    const behaviours = { ...UNKIND_AZURE.behaviours, networkWrites: undefined };
    const on = await wire({ ...UNKIND_AZURE, behaviours });
    await on.call(`PUT ${on.group}/${NIC}?api-version=2025-01-01`, { body: nic(on) });
    await on.clock.advance(2_000);
    expect((await on.call(`PUT ${on.group}/${VM}?api-version=2025-04-01`, { body: vm(on) })).status).toBe(201);
    return on;
  };
  const vmsInGraph = async (on: Wire): Promise<number> => {
    const query = `Resources | where type == "microsoft.compute/virtualmachines" | where resourceGroup == "${on.emulator.account.nodeResourceGroup.toLowerCase()}"`;
    const body = { subscriptions: [on.emulator.account.subscriptionId], query, options: { resultFormat: 'objectArray' } };
    return ((await on.call(`POST ${GRAPH}`, { body })).body as { totalRecords: number }).totalRecords;
  };

  test('a VM is there until three minutes after its delete', async () => {
    await using on = await withNewVm();
    await on.clock.advance(MINUTE_MS);
    const read = async (): Promise<number> => (await on.call(`GET ${on.group}/${VM}?api-version=2025-04-01`)).status;
    expect((await on.call(`DELETE ${on.group}/${VM}?api-version=2025-04-01`)).status).toBe(202);
    await on.clock.advance(3 * MINUTE_MS - 1);
    expect(await read()).toBe(200);
    await on.clock.advance(1);
    expect(await read()).toBe(404);
  });

  test('Resource Graph has a VM a minute after its write, and for a minute after it has gone', async () => {
    await using on = await withNewVm();
    await on.clock.advance(MINUTE_MS - 1);
    expect(await vmsInGraph(on)).toBe(0);
    await on.clock.advance(1);
    expect(await vmsInGraph(on)).toBe(1);
    await on.call(`DELETE ${on.group}/${VM}?api-version=2025-04-01`);
    await on.clock.advance(3 * MINUTE_MS);
    await on.clock.advance(MINUTE_MS - 1);
    expect(await vmsInGraph(on)).toBe(1);
    await on.clock.advance(1);
    expect(await vmsInGraph(on)).toBe(0);
  });
});
