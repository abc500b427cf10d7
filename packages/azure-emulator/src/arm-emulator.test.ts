import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ComputeManagementClient, type VirtualMachine } from '@azure/arm-compute';
import { type NetworkInterface, NetworkManagementClient } from '@azure/arm-network';
import { ResourceGraphClient } from '@azure/arm-resourcegraph';
import { ClientSecretCredential, WorkloadIdentityCredential } from '@azure/identity';
import { type FakeClock, fakeClock } from '@karpenter/runtime';
import type { ArmEmulator, ArmEmulatorOptions, VmEvent } from './index.ts';
import { createArmCertificates, knownRefusals, startArmEmulator } from './index.ts';
import { UBUNTU_IMAGE } from './fixtures/a-vm.ts';

const certificates = await createArmCertificates();
const SCRIPT = Buffer.from('#!/bin/bash\n').toString('base64');

interface Azure extends AsyncDisposable {
  readonly emulator: ArmEmulator;
  readonly clock: FakeClock;
  readonly compute: ComputeManagementClient;
  readonly network: NetworkManagementClient;
  readonly graph: ResourceGraphClient;
  readonly group: string;
}

const startAzure = async (options: Partial<ArmEmulatorOptions> = {}): Promise<Azure> => {
  const clock = fakeClock();
  const emulator = await startArmEmulator({ clock, certificates, pollAfterSeconds: 0, ...options });
  const { account } = emulator;
  const tlsOptions = { ca: emulator.caPem };
  const credential = new ClientSecretCredential(account.tenantId, account.clientId, account.clientSecret, {
    authorityHost: emulator.authorityUrl,
    disableInstanceDiscovery: true,
    tlsOptions,
  });
  const client = {
    endpoint: emulator.url,
    credentials: { scopes: [`${emulator.url}/.default`] },
    tlsOptions,
    retryOptions: { maxRetries: 0 },
  };
  return {
    emulator,
    clock,
    compute: new ComputeManagementClient(credential, account.subscriptionId, client),
    network: new NetworkManagementClient(credential, account.subscriptionId, client),
    graph: new ResourceGraphClient(credential, client),
    group: account.nodeResourceGroup,
    [Symbol.asyncDispose]: () => emulator.close(),
  };
};

const nicBody = ({ emulator: { account } }: Azure, changes: Partial<NetworkInterface> = {}): NetworkInterface => ({
  location: account.location,
  tags: { 'karpenter.sh_nodepool': 'general' },
  ipConfigurations: [
    {
      name: 'aks-a',
      primary: true,
      privateIPAllocationMethod: 'Dynamic',
      subnet: { id: account.subnetId },
      loadBalancerBackendAddressPools: account.backendPoolIds.map((id) => ({ id })),
    },
  ],
  enableAcceleratedNetworking: true,
  enableIPForwarding: false,
  ...changes,
});

const vmBody = ({ emulator: { account }, group }: Azure, name: string, changes: Partial<VirtualMachine> = {}): VirtualMachine => ({
  location: account.location,
  zones: ['1'],
  tags: { 'karpenter.sh_nodepool': 'general' },
  identity: { type: 'UserAssigned', userAssignedIdentities: { [account.kubeletIdentityId]: {} } },
  hardwareProfile: { vmSize: 'Standard_D2s_v3' },
  storageProfile: {
    imageReference: { communityGalleryImageId: UBUNTU_IMAGE },
    osDisk: { name, diskSizeGB: 128, createOption: 'FromImage', deleteOption: 'Delete' },
  },
  networkProfile: {
    networkInterfaces: [
      {
        id: `/subscriptions/${account.subscriptionId}/resourceGroups/${group}/providers/Microsoft.Network/networkInterfaces/${name}`,
        primary: true,
        deleteOption: 'Delete',
      },
    ],
  },
  osProfile: {
    adminUsername: 'azureuser',
    computerName: name,
    customData: SCRIPT,
    linuxConfiguration: {
      disablePasswordAuthentication: true,
      ssh: { publicKeys: [{ path: '/home/azureuser/.ssh/authorized_keys', keyData: 'ssh-rsa AAAA' }] },
    },
  },
  priority: 'Regular',
  ...changes,
});

const spot: Partial<VirtualMachine> = { priority: 'Spot', evictionPolicy: 'Delete', billingProfile: { maxPrice: -1 } };

/** Lets the emulator's time pass until a call that waits for Azure is through. */
const passing = async <Result>(clock: FakeClock, work: PromiseLike<Result>): Promise<Result> => {
  let done = false;
  const result = Promise.resolve(work).finally(() => {
    done = true;
  });
  result.catch(() => undefined);
  while (!done) {
    await clock.advance(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return result;
};

const fast = { updateIntervalInMs: 2 };

const createNic = (on: Azure, name: string, body = nicBody(on)): Promise<NetworkInterface> =>
  passing(on.clock, on.network.networkInterfaces.createOrUpdate(on.group, name, body, fast));

const createVm = async (on: Azure, name: string, changes: Partial<VirtualMachine> = {}): Promise<VirtualMachine> => {
  await createNic(on, name);
  return passing(on.clock, on.compute.virtualMachines.createOrUpdate(on.group, name, vmBody(on, name, changes), fast));
};

const deleteVm = (on: Azure, name: string): Promise<void> =>
  passing(on.clock, on.compute.virtualMachines.delete(on.group, name, { forceDeletion: true, ...fast }));

const counts = ({ emulator }: Azure): readonly [number, number, number] => [
  emulator.vms().length,
  emulator.nics().length,
  emulator.disks().length,
];

const TEN_CORES = { location: 'eastus', limit: 10, usage: 8, required: 4 };

describe('machines through the Azure SDKs', () => {
  test('a machine with its interface and disk comes and goes', async () => {
    await using on = await startAzure();
    const events: string[] = [];
    on.emulator.onVm((event: VmEvent) => events.push(`${event.type} ${event.vm.name}`));
    const vm = await createVm(on, 'aks-a');
    expect(vm).toMatchObject({
      name: 'aks-a',
      zones: ['1'],
      provisioningState: 'Succeeded',
      hardwareProfile: { vmSize: 'Standard_D2s_v3' },
    });
    expect(vm.osProfile?.customData).toBeUndefined();
    expect(counts(on)).toEqual([1, 1, 1]);
    const nic = await on.network.networkInterfaces.get(on.group, 'aks-a');
    expect(nic.virtualMachine?.id).toBe(vm.id);
    expect(nic.ipConfigurations?.[0]?.privateIPAddress).toBe('10.224.0.4');
    expect(on.emulator.vms()[0]).toMatchObject({
      capacityType: 'on-demand',
      privateIpAddress: '10.224.0.4',
      osProfile: { customData: SCRIPT },
      hardware: { vCpus: 2, memoryBytes: 8 * 1024 ** 3 },
    });
    await deleteVm(on, 'aks-a');
    expect(counts(on)).toEqual([0, 0, 0]);
    expect(events).toEqual(['created aks-a', 'running aks-a', 'deleted aks-a']);
    await expect(on.compute.virtualMachines.get(on.group, 'aks-a')).rejects.toMatchObject({ statusCode: 404, code: 'ResourceNotFound' });
    await deleteVm(on, 'aks-a');
  });

  test('what is not deleted with its machine stays behind, unattached', async () => {
    await using on = await startAzure();
    await createNic(on, 'aks-a');
    const body = vmBody(on, 'aks-a');
    const detached: VirtualMachine = {
      ...body,
      storageProfile: { ...body.storageProfile, osDisk: { name: 'aks-a', createOption: 'FromImage', deleteOption: 'Detach' } },
      networkProfile: {
        networkInterfaces: (body.networkProfile?.networkInterfaces ?? []).map(({ id }) => ({ ...(id && { id }), primary: true })),
      },
    };
    await passing(on.clock, on.compute.virtualMachines.createOrUpdate(on.group, 'aks-a', detached, fast));
    await expect(on.network.networkInterfaces.delete(on.group, 'aks-a')).rejects.toMatchObject({ code: 'NicInUse' });
    await deleteVm(on, 'aks-a');
    expect(counts(on)).toEqual([0, 1, 1]);
    const disks = await Array.fromAsync(on.compute.disks.listByResourceGroup(on.group));
    expect(disks).toMatchObject([{ name: 'aks-a', diskState: 'Unattached' }]);
    await passing(on.clock, on.network.networkInterfaces.delete(on.group, 'aks-a', fast));
    await passing(on.clock, on.compute.disks.delete(on.group, 'aks-a', fast));
    expect(counts(on)).toEqual([0, 0, 0]);
  });

  test('an ephemeral OS disk is no disk of its own', async () => {
    await using on = await startAzure();
    const { storageProfile } = vmBody(on, 'aks-a');
    const osDisk = { name: 'aks-a', diskSizeGB: 50, createOption: 'FromImage', deleteOption: 'Delete', caching: 'ReadOnly' } as const;
    await createVm(on, 'aks-a', {
      storageProfile: { ...storageProfile, osDisk: { ...osDisk, diffDiskSettings: { option: 'Local', placement: 'CacheDisk' } } },
    });
    expect(counts(on)).toEqual([1, 1, 0]);
  });

  test('a second PUT changes nothing that is fixed at creation, and is the same machine otherwise', async () => {
    await using on = await startAzure();
    const vm = await createVm(on, 'aks-a');
    const again = (changes: Partial<VirtualMachine>) =>
      passing(on.clock, on.compute.virtualMachines.createOrUpdate(on.group, 'aks-a', vmBody(on, 'aks-a', changes), fast));
    await expect(again({ zones: ['2'] })).rejects.toMatchObject({ statusCode: 409, code: 'PropertyChangeNotAllowed' });
    expect((await again({ tags: { owner: 'me' } })).vmId).toBe(vm.vmId);
    expect(on.emulator.vms()).toMatchObject([{ tags: { owner: 'me' } }]);
  });

  test('PATCH replaces tags and adds identities', async () => {
    await using on = await startAzure();
    await createVm(on, 'aks-a');
    const other = on.emulator.account.kubeletIdentityId.replace('-agentpool', '-other');
    const patch = { tags: { owner: 'me' }, identity: { type: 'UserAssigned' as const, userAssignedIdentities: { [other]: {} } } };
    const vm = await passing(on.clock, on.compute.virtualMachines.update(on.group, 'aks-a', patch, fast));
    expect(vm.tags).toEqual({ owner: 'me' });
    expect(Object.keys(vm.identity?.userAssignedIdentities ?? {}).sort()).toEqual([on.emulator.account.kubeletIdentityId, other].sort());
    await on.network.networkInterfaces.updateTags(on.group, 'aks-a', { tags: { owner: 'me' } });
    expect(on.emulator.nics()).toMatchObject([{ tags: { owner: 'me' } }]);
  });

  test('extensions are put on a machine and patched', async () => {
    await using on = await startAzure();
    await createVm(on, 'aks-a');
    const extension = {
      location: 'eastus',
      publisher: 'Microsoft.AKS',
      typePropertiesType: 'Compute.AKS.Linux.Billing',
      typeHandlerVersion: '1.0',
      settings: {},
    };
    const put = on.compute.virtualMachineExtensions.createOrUpdate(on.group, 'aks-a', 'computeAksLinuxBilling', extension, fast);
    expect(await passing(on.clock, put)).toMatchObject({ provisioningState: 'Succeeded' });
    const update = on.compute.virtualMachineExtensions.update(on.group, 'aks-a', 'computeAksLinuxBilling', { tags: { a: 'b' } }, fast);
    expect(await passing(on.clock, update)).toMatchObject({ tags: { a: 'b' } });
    await expect(on.compute.virtualMachineExtensions.get(on.group, 'aks-a', 'other')).rejects.toMatchObject({ statusCode: 404 });
  });

  test('a spot machine is evicted: first the notice, then the end', async () => {
    await using on = await startAzure();
    await createVm(on, 'aks-a', spot);
    const events: string[] = [];
    on.emulator.onVm((event) => events.push(event.type));
    on.emulator.evict('aks-a');
    expect(events).toEqual(['evicted']);
    await on.clock.advance(30_000 + 15_000);
    expect(events).toEqual(['evicted', 'deleted']);
    expect(counts(on)).toEqual([0, 0, 0]);
    expect(() => on.emulator.evict('aks-a')).toThrow('no spot VM');
  });
});

describe('what Azure refuses', () => {
  test.each<[string, Partial<VirtualMachine>, string]>([
    ['a size that the zone does not have', { hardwareProfile: { vmSize: 'Standard_D2as_v6' } }, 'SkuNotAvailable'],
    ['an unknown size', { hardwareProfile: { vmSize: 'Standard_Nope' } }, 'InvalidParameter'],
    ['an Arm64 size with an x64 image', { hardwareProfile: { vmSize: 'Standard_D16plds_v5' } }, 'BadRequest'],
    ['a generation 1 size with a generation 2 image', { hardwareProfile: { vmSize: 'Standard_D2_v3' } }, 'BadRequest'],
    [
      'an image that was never published',
      {
        storageProfile: {
          imageReference: { communityGalleryImageId: UBUNTU_IMAGE.replace('2026', '2019') },
          osDisk: { createOption: 'FromImage' },
        },
      },
      'GalleryImageNotFound',
    ],
    ['another region', { location: 'westus2' }, 'InvalidResourceLocation'],
    ['a spot price for a regular machine', { billingProfile: { maxPrice: -1 } }, 'InvalidParameter'],
    [
      'a most for a spot machine that is less than it costs',
      { ...spot, billingProfile: { maxPrice: 0.001 } },
      'SpotPriceGreaterThanProvidedMaxPrice',
    ],
    ['a most of nothing for a spot machine', { ...spot, billingProfile: { maxPrice: 0 } }, 'InvalidParameter'],
    ['UEFI settings without trusted launch', { securityProfile: { uefiSettings: { vTpmEnabled: true } } }, 'InvalidParameter'],
    ['no way to log in', { osProfile: { adminUsername: 'azureuser', computerName: 'aks-a', customData: SCRIPT } }, 'InvalidParameter'],
    [
      'custom data that is no base64',
      { osProfile: { adminUsername: 'azureuser', computerName: 'aks-a', customData: '#!/bin/bash' } },
      'InvalidParameter',
    ],
  ])('%s', async (_case, changes, code) => {
    await using on = await startAzure();
    await expect(createVm(on, 'aks-a', changes)).rejects.toMatchObject({ code });
    expect(counts(on)).toEqual([0, 1, 0]);
  });

  test.each([-1, 0.096])('not a spot machine for which %d USD an hour may be paid', async (maxPrice) => {
    await using on = await startAzure();
    await createVm(on, 'aks-a', { ...spot, billingProfile: { maxPrice } });
    expect(on.emulator.vms()).toMatchObject([{ capacityType: 'spot' }]);
  });

  test('an interface in a subnet, or with a pool, that is not there, naming it', async () => {
    await using on = await startAzure();
    const { account } = on.emulator;
    const pool = `${account.backendPoolIds[0] ?? ''}-gone`;
    const withPool = nicBody(on, {
      ipConfigurations: [{ name: 'a', subnet: { id: account.subnetId }, loadBalancerBackendAddressPools: [{ id: pool }] }],
    });
    await expect(createNic(on, 'aks-a', withPool)).rejects.toMatchObject({
      code: 'InvalidResourceReference',
      message: expect.stringContaining(pool),
    });
    const elsewhere = nicBody(on, { ipConfigurations: [{ name: 'a', subnet: { id: `${account.subnetId}-gone` } }] });
    await expect(createNic(on, 'aks-a', elsewhere)).rejects.toMatchObject({ code: 'InvalidResourceReference' });
    await expect(
      passing(on.clock, on.compute.virtualMachines.createOrUpdate(on.group, 'aks-b', vmBody(on, 'aks-b'), fast)),
    ).rejects.toMatchObject({ code: 'InvalidResourceReference' });
  });

  test('an interface when the subnet is full', async () => {
    await using on = await startAzure({ network: { subnets: { nodes: '10.0.0.0/29' } } });
    for (const name of ['aks-a', 'aks-b', 'aks-c']) await createNic(on, name);
    await expect(createNic(on, 'aks-d')).rejects.toMatchObject({ code: 'SubnetIsFull' });
    await passing(on.clock, on.network.networkInterfaces.delete(on.group, 'aks-b', fast));
    await createNic(on, 'aks-d');
    expect(on.emulator.nics().map((nic) => nic.privateIpAddresses[0])).toEqual(['10.0.0.4', '10.0.0.6', '10.0.0.5']);
  });

  test('more vCPUs than the quota, with a message that names the quota', async () => {
    await using on = await startAzure({ quotas: { families: { standardDSv3Family: 2 }, lowPriorityCores: 1 } });
    await createVm(on, 'aks-a');
    await expect(createVm(on, 'aks-b')).rejects.toMatchObject({
      statusCode: 409,
      code: 'OperationNotAllowed',
      message: expect.stringContaining(
        'standardDSv3Family Cores quota. Additional details - Deployment Model: Resource Manager, Location: eastus, Current Limit: 2, Current Usage: 2',
      ),
    });
    await expect(createVm(on, 'aks-c', spot)).rejects.toMatchObject({ message: expect.stringContaining('LowPriorityCores quota') });
    const family = async () =>
      (await Array.fromAsync(on.compute.usage.list('eastus'))).find((usage) => usage.name.value === 'standardDSv3Family');
    expect(await family()).toMatchObject({ currentValue: 2, limit: 2 });
    await deleteVm(on, 'aks-a');
    expect(await family()).toMatchObject({ currentValue: 0 });
    await createVm(on, 'aks-b');
  });

  test('to delete the interface of a refused machine for 180 seconds', async () => {
    await using on = await startAzure({ quotas: { cores: 0 } });
    await expect(createVm(on, 'aks-a')).rejects.toMatchObject({ message: expect.stringContaining('Total Regional Cores quota') });
    await expect(on.network.networkInterfaces.delete(on.group, 'aks-a')).rejects.toMatchObject({ code: 'NicReservedForAnotherVm' });
    await on.clock.advance(180_000);
    await passing(on.clock, on.network.networkInterfaces.delete(on.group, 'aks-a', fast));
    expect(counts(on)).toEqual([0, 0, 0]);
  });
});

describe('faults', () => {
  const create = 'VirtualMachines_CreateOrUpdate';

  test('a synchronous refusal, as often as it was ordered', async () => {
    await using on = await startAzure();
    on.emulator.faults.add({
      operation: create,
      vmSize: 'Standard_D2s_v3',
      times: 1,
      effect: { kind: 'refuse', refusal: knownRefusals.familyQuota('standardDSv3Family', TEN_CORES) },
    });
    await expect(createVm(on, 'aks-a')).rejects.toMatchObject({
      code: 'OperationNotAllowed',
      message: expect.stringContaining('Current Limit: 10'),
    });
    expect(await createVm(on, 'aks-a')).toMatchObject({ provisioningState: 'Succeeded' });
  });

  test('an allocation failure through the asynchronous operation leaves a failed machine, deleted with all it has', async () => {
    await using on = await startAzure();
    on.emulator.faults.add({ operation: create, zone: '1', effect: { kind: 'fail', refusal: knownRefusals.zonalAllocationFailed() } });
    await expect(createVm(on, 'aks-a')).rejects.toThrow('ZonalAllocationFailed');
    expect(on.emulator.vms()).toMatchObject([{ provisioningState: 'Failed' }]);
    await deleteVm(on, 'aks-a');
    expect(counts(on)).toEqual([0, 0, 0]);
    expect(await createVm(on, 'aks-b', { zones: ['2'] })).toMatchObject({ zones: ['2'] });
  });

  test('an operation that fails after the machine came up', async () => {
    await using on = await startAzure();
    const events: string[] = [];
    on.emulator.onVm((event) => events.push(event.type));
    on.emulator.faults.add({
      operation: create,
      effect: { kind: 'fail', refusal: knownRefusals.osProvisioningTimedOut('aks-a'), afterBoot: true },
    });
    await expect(createVm(on, 'aks-a')).rejects.toThrow('OSProvisioningTimedOut');
    expect(events).toEqual(['created', 'running']);
  });

  test.each([
    { when: 'after', made: ['created aks-a'] },
    { when: 'before', made: [] },
  ] as const)('a machine whose answer is lost $when it is made is an event if it was made', async ({ when, made }) => {
    await using on = await startAzure();
    await createNic(on, 'aks-a');
    const events: string[] = [];
    on.emulator.onVm((event) => events.push(`${event.type} ${event.vm.name}`));
    on.emulator.faults.add({ operation: create, effect: { kind: 'reset', when } });
    const put = on.compute.virtualMachines.createOrUpdate(on.group, 'aks-a', vmBody(on, 'aks-a'), fast).submitted();
    await expect(put).rejects.toThrow();
    expect(events).toEqual(made);
  });

  test('a lost operation never ends, and the machine can be deleted', async () => {
    await using on = await startAzure();
    on.emulator.faults.add({ operation: create, effect: { kind: 'lose' } });
    await createNic(on, 'aks-a');
    const poller = on.compute.virtualMachines.createOrUpdate(on.group, 'aks-a', vmBody(on, 'aks-a'), fast);
    await poller.submitted();
    await on.clock.advance(24 * 3_600_000);
    await poller.poll();
    expect(poller.isDone).toBe(false);
    await deleteVm(on, 'aks-a');
    expect(counts(on)).toEqual([0, 0, 0]);
  });

  test('a slow operation succeeds after its client aborts', async () => {
    await using on = await startAzure();
    on.emulator.faults.add({ operation: create, effect: { kind: 'delay', byMs: 600_000 } });
    await createNic(on, 'aks-a');
    await on.compute.virtualMachines.createOrUpdate(on.group, 'aks-a', vmBody(on, 'aks-a'), fast).submitted();
    await on.clock.advance(600_000);
    expect(on.emulator.vms()).toMatchObject([{ provisioningState: 'Creating' }]);
    await on.clock.advance(20_000);
    expect(on.emulator.vms()).toMatchObject([{ provisioningState: 'Succeeded' }]);
  });

  test('a reset connection, before or after the request took effect', async () => {
    await using on = await startAzure();
    on.emulator.faults.add({ operation: 'NetworkInterfaces_CreateOrUpdate', name: 'aks-a', effect: { kind: 'reset', when: 'before' } });
    on.emulator.faults.add({ operation: 'NetworkInterfaces_CreateOrUpdate', name: 'aks-b', effect: { kind: 'reset', when: 'after' } });
    await expect(createNic(on, 'aks-a')).rejects.toThrow();
    await expect(createNic(on, 'aks-b')).rejects.toThrow();
    expect(on.emulator.nics().map((nic) => nic.name)).toEqual(['aks-b']);
    expect(on.emulator.requests.of('NetworkInterfaces_CreateOrUpdate').map((request) => request.status)).toEqual([0, 0]);
  });

  test('throttling: 429 with Retry-After', async () => {
    await using on = await startAzure();
    on.emulator.faults.add({
      operation: 'VirtualMachines_Get',
      times: 1,
      effect: { kind: 'refuse', refusal: knownRefusals.tooManyRequests(7) },
    });
    const refused = await on.compute.virtualMachines.get(on.group, 'aks-a').catch((error: unknown) => error);
    expect(refused).toMatchObject({ statusCode: 429, code: 'SubscriptionRequestsThrottled' });
    expect((refused as { response: { headers: { get(name: string): string | undefined } } }).response.headers.get('retry-after')).toBe('7');
  });
});

describe('what may be used', () => {
  test('sizes of the location, page by page', async () => {
    await using on = await startAzure();
    const skus = await Array.fromAsync(on.compute.resourceSkus.list({ filter: "location eq 'eastus'" }));
    expect(skus.length).toBeGreaterThan(1_200);
    expect(on.emulator.requests.count('ResourceSkus_List')).toBe(2);
    expect(skus.find((sku) => sku.name === 'Standard_D2s_v3')).toMatchObject({
      family: 'standardDSv3Family',
      locationInfo: [{ location: 'eastus', zones: ['1', '2', '3'] }],
    });
  });

  test('images, encryption sets, and the network of the cluster', async () => {
    await using on = await startAzure();
    const { account } = on.emulator;
    const gallery = 'AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2';
    const versions = await Array.fromAsync(on.compute.communityGalleryImageVersions.list('eastus', gallery, '2404gen2containerd'));
    expect(versions.map((version) => [version.name, version.publishedDate?.getUTCMonth()])).toEqual([
      ['202610.06.0', 9],
      ['202611.03.0', 10],
    ]);
    expect(await on.compute.diskEncryptionSets.get(account.clusterResourceGroup, 'nodes')).toMatchObject({
      id: account.diskEncryptionSetId,
    });
    const balancers = await Array.fromAsync(on.network.loadBalancers.list(on.group));
    expect(balancers.flatMap((balancer) => (balancer.backendAddressPools ?? []).map((pool) => pool.id))).toEqual(account.backendPoolIds);
    expect((await Array.fromAsync(on.network.networkSecurityGroups.list(on.group))).map((group) => group.id)).toEqual([
      account.networkSecurityGroupId,
    ]);
    const vnet = account.vnetId.split('/').at(-1) ?? '';
    expect((await on.network.virtualNetworks.get(on.group, vnet)).resourceGuid).toBe(account.vnetGuid);
    expect(await on.network.subnets.get(on.group, vnet, 'aks-subnet')).toMatchObject({
      id: account.subnetId,
      addressPrefix: '10.224.0.0/16',
    });
    await expect(on.network.subnets.get(on.group, vnet, 'other')).rejects.toMatchObject({ code: 'ResourceNotFound' });
    await expect(on.network.subnets.get('other', vnet, 'aks-subnet')).rejects.toMatchObject({ code: 'ResourceGroupNotFound' });
  });

  test('a network that the user brought, with several subnets', async () => {
    await using on = await startAzure({ network: { vnet: 'mine', subnets: { nodes: '10.1.0.0/24', batch: '10.2.0.0/24' } } });
    const { account } = on.emulator;
    const batch = await on.network.subnets.get(account.clusterResourceGroup, 'mine', 'batch');
    expect(batch).toMatchObject({ id: account.subnetId.replace('/nodes', '/batch'), addressPrefix: '10.2.0.0/24' });
    const vnet = await on.network.virtualNetworks.get(account.clusterResourceGroup, 'mine');
    expect(vnet.subnets?.map((subnet) => subnet.name)).toEqual(['nodes', 'batch']);
    await createNic(on, 'aks-a', nicBody(on, { ipConfigurations: [{ name: 'a', subnet: { id: batch.id ?? '' } }] }));
    expect(on.emulator.nics()[0]?.privateIpAddresses).toEqual(['10.2.0.4']);
  });

  test('Resource Graph sees machines and interfaces late, and page by page', async () => {
    await using on = await startAzure({ pageSize: 2, latencies: { resourceGraphDelayMs: 3_600_000 } });
    for (const name of ['aks-a', 'aks-b', 'aks-c']) await createNic(on, name);
    await createVm(on, 'aks-d');
    const query = `Resources | where type == "microsoft.network/networkinterfaces" | where resourceGroup == "${on.group.toLowerCase()}" | where tags has_cs "karpenter.sh_nodepool"`;
    const ask = (skipToken?: string) =>
      on.graph.resources({
        subscriptions: [on.emulator.account.subscriptionId],
        query,
        options: { resultFormat: 'objectArray', ...(skipToken && { skipToken }) },
      });
    expect((await ask()).totalRecords).toBe(0);
    await on.clock.advance(3_600_000);
    const first = await ask();
    const second = await ask(first.skipToken);
    expect([first.totalRecords, second.skipToken]).toEqual([4, undefined]);
    expect([...(first.data as { name: string }[]), ...(second.data as { name: string }[])].map((row) => row.name)).toEqual([
      'aks-a',
      'aks-b',
      'aks-c',
      'aks-d',
    ]);
    await deleteVm(on, 'aks-d');
    expect((await ask()).totalRecords).toBe(4);
    await on.clock.advance(3_600_000);
    expect((await ask()).totalRecords).toBe(3);
    await expect(on.graph.resources({ query: 'Resources | join kind=inner (x) on y' })).rejects.toMatchObject({ code: 'BadRequest' });
  });
});

describe('who may ask', () => {
  test('a federated assertion gets a token; a wrong secret gets none', async () => {
    await using on = await startAzure();
    const { account, authorityUrl, caPem, url } = on.emulator;
    const folder = await mkdtemp(join(tmpdir(), 'federated-'));
    try {
      const tokenFilePath = join(folder, 'token');
      await writeFile(tokenFilePath, account.federatedToken);
      const options = {
        authorityHost: authorityUrl,
        disableInstanceDiscovery: true,
        tlsOptions: { ca: caPem },
        retryOptions: { maxRetries: 0 },
      };
      const workload = new WorkloadIdentityCredential({
        tenantId: account.tenantId,
        clientId: account.clientId,
        tokenFilePath,
        ...options,
      });
      expect((await workload.getToken(`${url}/.default`)).token).toMatch(/^ey/);
      const wrong = new ClientSecretCredential(account.tenantId, account.clientId, 'wrong', options);
      await expect(wrong.getToken(`${url}/.default`)).rejects.toThrow('AADSTS7000215');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('revoked tokens are refused, and clients request new ones', async () => {
    await using on = await startAzure();
    await Array.fromAsync(on.network.loadBalancers.list(on.group));
    on.emulator.revokeTokens();
    expect(await Array.fromAsync(on.network.loadBalancers.list(on.group))).toHaveLength(1);
    expect(on.emulator.requests.of('LoadBalancers_List').map(({ status }) => status)).toEqual([200, 401, 200]);
  });
});
