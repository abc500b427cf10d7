import { describe, expect, test } from '@jest/globals';
import { bodyProblem } from '../body/body-problem.ts';
import { publishedShape } from '../body/published-shape.ts';
import { AKS_MODELS_VERSION, aksMachineModels } from '../data/aks-models.ts';
import { knownRefusals } from '../faults/known-refusals.ts';
import { type Answer, type Wire, wire } from '../fixtures/wire.ts';
import { bootstrappingAnswerShape, provisionShape } from './provision-shape.ts';
import { machineAnswerShape, machineShape } from './machine-shape.ts';

const machine = {
  zones: ['1'],
  properties: {
    nodeImageVersion: 'AKSUbuntu-2204gen2containerd-202611.03.0',
    hardware: { vmSize: 'Standard_D4s_v3' },
    operatingSystem: { osType: 'Linux', osSKU: 'Ubuntu2204', osDiskSizeGB: 128 },
    kubernetes: { nodeLabels: {}, orchestratorVersion: '1.33.4', maxPods: 30, kubeletConfig: { podMaxPids: 4096 } },
    security: { sshAccess: 'LocalUser', enableEncryptionAtHost: true },
    priority: 'Spot',
    billing: { spotMaxPrice: 1 },
    tags: { team: 'web' },
    localDNSProfile: { mode: 'Required' },
  },
};

const profile = {
  name: '',
  vmSize: 'Standard_D4s_v3',
  osType: 2,
  osSku: 1,
  storageProfile: 'ManagedDisks',
  distro: 'aks-ubuntu-containerd-22.04-gen2',
  orchestratorVersion: '1.33.4',
  vnetCidrs: [],
  vnetSubnetID: '/subscriptions/s/resourceGroups/r/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes',
  mode: 2,
  architecture: 'x64',
  maxPods: 30,
};
const values = { provisionProfile: profile, provisionHelperValues: { skuCPU: 4, skuMemory: 16 } };

/** A copy with something else at a dotted path. */
const having = (body: object, path: string, value: unknown): object => {
  const [member = '', ...deeper] = path.split('.');
  const inner = (body as Readonly<Record<string, object>>)[member] ?? {};
  return { ...body, [member]: deeper.length === 0 ? value : having(inner, deeper.join('.'), value) };
};

const clusterOf = ({ account }: Wire['emulator']): string =>
  `/subscriptions/${account.subscriptionId}/resourceGroups/${account.clusterResourceGroup}/providers/Microsoft.ContainerService/managedClusters/${account.clusterName}`;
const poolOf = (on: Wire): string => `${clusterOf(on.emulator)}/agentPools/${on.emulator.account.machinesPoolName}`;

const ask = (
  on: Wire,
  what: string,
  { body, version = AKS_MODELS_VERSION }: { body?: unknown; version?: string } = {},
): Promise<Answer> => {
  const [method = '', path = ''] = what.split(' ');
  return on.call(`${method} ${poolOf(on)}/${path}?api-version=${version}`, { body });
};
const put = (on: Wire, body: unknown = machine): Promise<Answer> => ask(on, 'PUT machines/a', { body });

describe('AKS says no to a machine', () => {
  test('of a size that it does not make, before it accepts it, in words without the `error` around them', async () => {
    await using on = await wire();
    expect(await put(on, having(machine, 'properties.hardware.vmSize', 'Standard_Nope'))).toMatchObject({
      status: 400,
      body: { code: 'VMSizeNotSupported', details: null, subcode: '' },
    });
    expect(on.emulator.nics()).toEqual([]);
  });

  test('by a fault in the same words; what Resource Manager itself refuses comes in its own', async () => {
    await using on = await wire();
    const { faults } = on.emulator;
    const befallen = async (refusal: ReturnType<typeof knownRefusals.allocationFailed>): Promise<Answer> => {
      using _fault = faults.add({ operation: 'Machines_CreateOrUpdate', effect: { kind: 'refuse', refusal } });
      return await put(on);
    };
    expect(await befallen(knownRefusals.allocationFailed())).toMatchObject({ status: 409, body: { code: 'AllocationFailed' } });
    expect(await befallen(knownRefusals.tooManyRequests(600))).toMatchObject({
      status: 429,
      body: { error: { code: 'SubscriptionRequestsThrottled' } },
    });
  });

  test('with a member that its api-version does not know, named', async () => {
    await using on = await wire();
    expect(await put(on, having(machine, 'properties.osProfile', {}))).toMatchObject({
      status: 400,
      body: { code: 'UnmarshalError', message: expect.stringContaining('unknown field "osProfile"'), subcode: '' },
    });
  });

  test('at any api-version but the one whose members it was made of', async () => {
    await using on = await wire();
    expect(await ask(on, 'GET machines/a', { version: '2025-08-02-preview' })).toMatchObject({
      status: 400,
      body: { error: { code: 'NoRegisteredProviderFound', message: expect.stringContaining(AKS_MODELS_VERSION) } },
    });
  });
});

interface Wrong {
  readonly what: string;
  readonly path: string;
  readonly value: unknown;
  readonly kind: string;
}

describe('what is sent', () => {
  test('may be all that the tests below are about', () => {
    expect(bodyProblem(machine, machineShape)).toBeUndefined();
    expect(bodyProblem(values, provisionShape)).toBeUndefined();
  });

  test.each<Wrong>([
    { what: 'an unknown member', path: 'properties.hardware.diskEncryptionSetID', value: 'x', kind: 'unknown-member' },
    { what: 'a member in the wrong place', path: 'properties.maxPods', value: 30, kind: 'unknown-member' },
    { what: 'text for a number', path: 'properties.kubernetes.maxPods', value: '30', kind: 'wrong-type' },
    { what: 'one text for a list', path: 'zones', value: '1', kind: 'wrong-type' },
    { what: 'a number for the value of a label', path: 'properties.kubernetes.nodeLabels.team', value: 1, kind: 'wrong-type' },
    { what: 'a value that is in no list', path: 'properties.priority', value: 'Low', kind: 'not-allowed' },
    { what: 'a pool mode that no machine has', path: 'properties.mode', value: 'Gateway', kind: 'not-allowed' },
    { what: 'a way of SSH that there is not', path: 'properties.security.sshAccess', value: 'Everybody', kind: 'not-allowed' },
    { what: 'a state of its own', path: 'properties.provisioningState', value: 'Succeeded', kind: 'read-only' },
    { what: 'the name of its node', path: 'properties.kubernetes.nodeName', value: 'a', kind: 'read-only' },
    { what: 'its addresses', path: 'properties.network.ipAddresses', value: [], kind: 'read-only' },
    { what: 'what became of its DNS', path: 'properties.localDNSProfile.state', value: 'Enabled', kind: 'read-only' },
    { what: 'no size', path: 'properties.hardware.vmSize', value: null, kind: 'missing' },
  ])('of a machine: not $what', ({ path, value, kind }) => {
    expect(bodyProblem(having(machine, path, value), machineShape)).toMatchObject({ kind, path });
  });

  test.each<Wrong>([
    { what: 'an unknown member', path: 'provisionProfile.kubeletConfig', value: {}, kind: 'unknown-member' },
    { what: 'a name for a number', path: 'provisionProfile.osSku', value: 'Ubuntu', kind: 'wrong-type' },
    { what: 'a number that stands for nothing', path: 'provisionProfile.mode', value: 3, kind: 'not-allowed' },
    { what: 'a mode of DNS that there is not', path: 'provisionProfile.localDNSProfile', value: { mode: 'Maybe' }, kind: 'not-allowed' },
    { what: 'no distribution', path: 'provisionProfile.distro', value: undefined, kind: 'missing' },
    { what: 'text for a number of cores', path: 'provisionHelperValues.skuCPU', value: '4', kind: 'wrong-type' },
  ])('to the bootstrapping service: not $what', ({ path, value, kind }) => {
    expect(bodyProblem(having(values, path, value), provisionShape)).toMatchObject({ kind });
  });

  test('and its type is described: a model that nobody has written down is an error at once', () => {
    expect(() => publishedShape({ ...aksMachineModels, models: { A: { b: 'Nowhere' } } }, 'A', 'sent')).toThrow('Nowhere');
  });
});

const problemOf = ({ body }: Answer): unknown => bodyProblem(body, machineAnswerShape);

describe('what is answered has its model too', () => {
  test('of a machine that is made, is there, has drifted and goes', async () => {
    await using on = await wire();
    const answers = [await put(on)];
    expect(answers[0]).toMatchObject({ status: 201, headers: { 'azure-asyncoperation': expect.any(String) } });
    await on.clock.advance(120_000);
    answers.push(await ask(on, 'GET machines/a'));
    expect(answers[1]?.body).toMatchObject({
      properties: {
        kubernetes: { nodeName: expect.stringContaining('-a-'), currentOrchestratorVersion: '1.33.4' },
        network: { ipAddresses: [{ family: 'IPv4' }] },
        localDNSProfile: { state: 'Enabled' },
        status: { vmState: 'Running', driftAction: 'Synced' },
      },
    });
    on.emulator.driftMachines('Recreate');
    answers.push(await put(on, having(machine, 'properties.tags', { team: 'shop' })));
    expect(answers[2]).toMatchObject({ status: 200 });
    expect(answers[2]?.headers).not.toHaveProperty('azure-asyncoperation');
    const gone = await ask(on, 'POST deleteMachines', { body: { machineNames: ['a'] } });
    expect(gone).toMatchObject({ status: 202, headers: { location: expect.any(String) } });
    answers.push(await ask(on, 'GET machines/a'));
    expect(answers.map(problemOf)).toEqual([undefined, undefined, undefined, undefined]);
    expect(answers[3]?.body).toMatchObject({ properties: { provisioningState: 'Deleting' } });
  });

  test('of one that could not be made', async () => {
    await using on = await wire();
    on.emulator.faults.add({
      operation: 'Machines_CreateOrUpdate',
      effect: { kind: 'fail', refusal: knownRefusals.zonalAllocationFailed() },
    });
    await put(on);
    await on.clock.advance(120_000);
    const listed = (await ask(on, 'GET machines')).body as { readonly value: readonly object[] };
    expect(listed.value).toMatchObject([{ properties: { provisioningState: 'Failed', status: { provisioningError: {} } } }]);
    expect(bodyProblem(listed.value[0], machineAnswerShape)).toBeUndefined();
  });

  test('of what makes a machine a node', async () => {
    await using on = await wire();
    const path = clusterOf(on.emulator).replace('managedClusters', 'managedclusters');
    const answered = await on.call(`GET ${path}/nodeBootstrapping`, { body: values });
    expect(answered.status).toBe(200);
    expect(bodyProblem(answered.body, bootstrappingAnswerShape)).toBeUndefined();
    expect(await on.call(`GET ${path}/nodeBootstrapping`, { body: having(values, 'provisionProfile.team', 'web') })).toMatchObject({
      status: 400,
      body: expect.stringContaining('unknown field "team"'),
    });
  });
});
