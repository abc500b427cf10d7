import { describe, expect, jest, test } from '@jest/globals';
import { labels, type NodeClaim, nodeClaimConditions } from '@karpenter/core';
import { decodeBootstrap, knownRefusals } from '@karpenter/azure-emulator';
import { type AKSNodeClass, azureAnnotations } from '../../apis/index.ts';
import { aClaim, D2 } from '../../testing/a-claim.ts';
import { aNodeClass, type AzureWorld, azureWorld, resolveClasses, unendingCall } from '../../testing/azure-world.ts';
import { failedLaunchIn } from '../../testing/failed-launch-in.ts';
import type { NamedObject } from '../../testing/fake-cluster.ts';
import { maintenance } from '../../testing/maintenance.ts';
import type { AzureProvider } from '../../plugin/create-azure-provider.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);
const variables = { PROVISION_MODE: 'aksmachineapi' };
const claim = aClaim('general-x7k2p');
const CREATE = 'Machines_CreateOrUpdate';

const inPool = ({ arm }: AzureWorld): Readonly<Record<string, string>> => ({
  ...variables,
  ...{ USE_SIG: 'true', SIG_SUBSCRIPTION_ID: arm.account.imageSubscriptionId, AKS_MACHINES_POOL_NAME: arm.account.machinesPoolName },
});

describe('machines of an agent pool', () => {
  test('are reported with the id of their VM, their image as AKS names it, and their own id', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    const machine = await world.passing(azure.provider.create(claim, unendingCall));
    expect(machine).toMatchObject({
      providerId: expect.stringMatching(/virtualMachines\/aks-machines-general-x7k2p-\d{8}-vm$/),
      imageId: expect.stringMatching(/^AKSUbuntu-2204gen2containerd-/),
      annotations: { [azureAnnotations.aksMachineId]: expect.stringMatching(/agentPools\/machines\/machines\/general-x7k2p$/) },
    });
    await world.passing(azure.idle());
    expect(world.arm.vms().map(({ providerId }) => providerId)).toEqual([machine.providerId]);
  });

  test('fill their GPUs with MIG partitions where the class names a profile, and the size can be split', async () => {
    await using world = await azureWorld({ variables });
    world.cluster.put({ ...aNodeClass(), spec: { gpu: { mig: 'MIG1g' } } } as AKSNodeClass & NamedObject);
    const azure = await world.provider();
    for (const [name, size] of [
      ['split-a', 'Standard_NC24ads_A100_v4'],
      ['whole-b', 'Standard_NC4as_T4_v3'],
    ] as const)
      await world.passing(azure.provider.create(aClaim(name, { key: labels.instanceType, operator: 'In', values: [size] }), unendingCall));
    await world.passing(azure.idle());
    const hardware = world.arm.requests.of(CREATE).map(({ body }) => (body as { properties: { hardware: object } }).properties.hardware);
    expect(hardware).toEqual([
      { vmSize: 'Standard_NC24ads_A100_v4', gpuProfile: { driver: 'Install' }, gpuInstanceProfile: 'MIG1g' },
      { vmSize: 'Standard_NC4as_T4_v3', gpuProfile: { driver: 'Install' } },
    ]);
  });

  test('when the agent pool does not exist › the log says so at the start, the list is empty, and a launch fails with the name of the pool', async () => {
    await using world = await azureWorld({ variables: { ...variables, AKS_MACHINES_POOL_NAME: 'gone' } });
    const azure = await world.provider();
    const warning = world.observed.lines.find((line) => line.includes('there is no agent pool'));
    expect(warning).toMatch(/level: 'warn'[^]*agentPools\/gone[^]*az rest --method put/);
    expect(await world.passing(azure.provider.list(unendingCall))).toEqual([]);
    await expect(world.passing(azure.provider.create(claim, unendingCall))).rejects.toThrow('Could not find the agent pool gone');
  });

  test('join with the labels of their pool, but for those that no kubelet may set and those of AKS', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    const ofPool = {
      team: 'web',
      'node.kubernetes.io/exclude-from-external-load-balancers': 'true',
      'node-restriction.kubernetes.io/team': 'web',
      'node-role.kubernetes.io/web': '',
      accelerator: 'nvidia',
    };
    const labelled = { ...claim, metadata: { ...claim.metadata, labels: { ...claim.metadata.labels, ...ofPool } } };
    await world.passing(azure.provider.create(labelled, unendingCall));
    await world.passing(azure.idle());
    const joined = decodeBootstrap(world.arm.vms()[0]?.osProfile.customData ?? '').labels;
    expect(joined).toMatchObject({ team: 'web', 'node.kubernetes.io/exclude-from-external-load-balancers': 'true' });
    for (const key of Object.keys(ofPool).slice(2)) expect(joined).not.toHaveProperty([key]);
  });

  test('run with the sysctls, the huge pages and the swap of their class', async () => {
    await using world = await azureWorld({ variables });
    const sysctls = { vmSwappiness: 10, netIPv4TCPTwReuse: true, netIPv4TCPKeepaliveIntvl: 30, netIPv4IPLocalPortRange: '32000 60999' };
    const linuxOSConfig = { sysctls, transparentHugePageEnabled: 'madvise', swapFileSize: '2Gi' };
    world.cluster.put({ ...aNodeClass(), spec: { kubelet: { failSwapOn: false }, linuxOSConfig } } as AKSNodeClass & NamedObject);
    const azure = await world.provider();
    await world.passing(azure.provider.create(claim, unendingCall));
    await world.passing(azure.idle());
    expect(decodeBootstrap(world.arm.vms()[0]?.osProfile.customData ?? '').settings).toMatchObject({
      sysctls: {
        'vm.swappiness': '10',
        'net.ipv4.tcp_tw_reuse': '1',
        'net.ipv4.tcp_keepalive_intvl': '30',
        'net.ipv4.ip_local_port_range': '32000 60999',
      },
      ...{ transparentHugePages: { enabled: 'madvise' }, swapFileSizeMB: 2048 },
    });
  });

  test('that AKS could not make after all end their claim, and teach what is out of stock', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    world.cluster.put(claim);
    world.arm.faults.add({ operation: CREATE, times: 1, effect: { kind: 'fail', refusal: knownRefusals.zonalAllocationFailed() } });
    await world.passing(azure.provider.create(claim, unendingCall));
    await world.passing(azure.idle());
    await world.until(() => world.arm.vms().length === 0 && world.arm.nics().length === 0);
    expect(failedLaunchIn(world, 'general-x7k2p')).toMatchObject({
      cause: 'ZonalAllocationFailure',
      message: expect.stringContaining('ZonalAllocationFailed'),
      isOutOfStock: true,
    });
    const next = await world.passing(azure.provider.create(aClaim('general-b2c3d'), unendingCall));
    expect(next.labels['topology.kubernetes.io/zone']).not.toBe('eastus-1');
  });

  test('when their family has no quota › the launch fails before AKS names a VM, and nothing stays', async () => {
    await using world = await azureWorld({ variables, quotas: { families: { standardDSv3Family: 0 } } });
    const azure = await world.provider();
    world.cluster.put(claim);
    const refused = { code: 'offering-unavailable', reason: 'SubscriptionQuotaReached' };
    await expect(world.passing(azure.provider.create(claim, unendingCall))).rejects.toMatchObject(refused);
    await world.passing(azure.idle());
    await world.until(() => world.arm.nics().length === 0);
    expect(world.arm.vms()).toEqual([]);
  });

  test('have drifted when AKS says that their cluster wants them otherwise', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    const { annotations = {}, imageId = '' } = await world.passing(azure.provider.create(claim, unendingCall));
    const launched = { ...claim, metadata: { ...claim.metadata, annotations }, status: { imageID: imageId } };
    expect(await world.passing(azure.provider.isDrifted(launched, unendingCall))).toBeUndefined();
    world.arm.driftMachines('Recreate');
    await world.clock.advance(30_000);
    expect(await world.passing(azure.provider.isDrifted(launched, unendingCall))).toBe('ClusterConfigDrift');
  });

  test('are requested no faster than AKS takes calls: many at once wait their turn, and none is refused', async () => {
    await using world = await azureWorld({ throttling: true, variables });
    const azure = await world.provider();
    const startMs = world.clock.now();
    const names = Array.from({ length: 40 }, (_, index) => `general-${String(index).padStart(5, 'a')}`);
    await world.passing(Promise.all(names.map((name) => azure.provider.create(aClaim(name), unendingCall))));
    await world.passing(azure.idle());
    const calls = world.arm.requests.all().filter(({ path }) => path.includes('Microsoft.ContainerService'));
    expect(calls.length).toBeGreaterThanOrEqual(80);
    expect(calls.filter(({ status }) => status === 429)).toEqual([]);
    expect(world.clock.now() - startMs).toBeLessThan(120_000);
    expect(world.arm.vms()).toHaveLength(40);
  });

  test('that were not asked for, because AKS takes no more calls, are not searched for before they are', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    await world.clock.advance(1000);
    const late = { ...claim, metadata: { ...claim.metadata, creationTimestamp: new Date(world.clock.now()).toISOString() } };
    world.arm.faults.add({ operation: CREATE, times: 1, effect: { kind: 'refuse', refusal: knownRefusals.tooManyRequests(40) } });
    await expect(world.passing(azure.provider.create(late, unendingCall))).rejects.toMatchObject({ code: 'throttled' });
    await world.clock.advance(40_000);
    world.arm.requests.clear();
    await world.passing(azure.provider.create(late, unendingCall));
    // The read comes after the write: AKS accepts a machine before it names its VM.
    expect(world.arm.requests.all().map(({ operation }) => operation)).toEqual([CREATE, 'Machines_Get']);
  });

  test('whose VM Azure has taken away are on their way out, although AKS keeps them, and go when they are deleted', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    const spot = aClaim('general-x7k2p', D2, { key: labels.capacityType, operator: 'In', values: ['spot'] });
    const { providerId } = await world.passing(azure.provider.create(spot, unendingCall));
    await world.passing(azure.idle());
    world.arm.evict(providerId.split('/').at(-1) ?? '');
    await world.until(() => world.arm.vms().length === 0);
    expect(await world.passing(azure.provider.list(unendingCall))).toMatchObject([{ claimName: 'general-x7k2p', isTerminating: true }]);
    expect(await world.passing(azure.provider.delete(spot, unendingCall))).toBe('terminating');
    expect(await world.passing(azure.provider.list(unendingCall))).toEqual([]);
    await world.clock.advance(30_000);
    expect(await world.passing(azure.provider.delete(spot, unendingCall))).toBe('gone');
  });

  test('that are being deleted are read by the list, not one by one', async () => {
    await using world = await azureWorld({ variables, throttling: true });
    const azure = await world.provider();
    const claims = Array.from({ length: 12 }, (_, index) => aClaim(`general-${String(index).padStart(5, 'a')}`));
    await world.passing(Promise.all(claims.map((each) => azure.provider.create(each, unendingCall))));
    await world.passing(azure.idle());
    await world.clock.advance(60_000);
    world.arm.requests.clear();
    let outcomes: readonly string[] = [];
    while (!outcomes.length || outcomes.includes('terminating')) {
      outcomes = await world.passing(Promise.all(claims.map((each) => azure.provider.delete(each, unendingCall))));
      await world.clock.advance(1000);
    }
    expect(world.arm.vms()).toEqual([]);
    expect(world.arm.requests.count('AgentPools_DeleteMachines')).toBe(12);
    expect(world.arm.requests.count('Machines_Get')).toBeLessThanOrEqual(4 * 12);
  });

  test('that failed while nobody looked end their claim after a restart', async () => {
    await using world = await azureWorld({ variables });
    const before = await world.provider();
    world.arm.faults.add({ operation: CREATE, effect: { kind: 'fail', refusal: knownRefusals.allocationFailed() } });
    await world.passing(before.provider.create(claim, unendingCall));
    const after = await world.provider();
    world.cluster.put(claim);
    await world.clock.advance(60_000);
    await world.passing(maintenance(after));
    await world.passing(after.idle());
    expect(failedLaunchIn(world, 'general-x7k2p')).toMatchObject({ cause: 'AllocationFailure', isOutOfStock: true });
  });

  test('are listed beside the VMs that another way of making them has left, which can still be deleted', async () => {
    await using world = await azureWorld({ latencies: { resourceGraphDelayMs: 0 } });
    const old = await world.provider();
    await world.passing(old.provider.create(claim, unendingCall));
    await world.passing(old.idle());
    const azure = await world.provider(inPool(world));
    await world.passing(azure.provider.create(aClaim('general-b2c3d'), unendingCall));
    await world.passing(azure.idle());
    const listed = await world.passing(azure.provider.list(unendingCall));
    expect(listed.map(({ claimName }) => claimName).sort()).toEqual(['general-b2c3d', 'general-x7k2p']);
    await world.passing(azure.provider.delete(claim, unendingCall));
    await world.until(() => world.arm.vms().length === 1);
  });

  test('do not keep a VM that another way of making them has asked for and that did not come', async () => {
    await using world = await azureWorld();
    const old = await world.provider();
    world.cluster.put(claim);
    world.arm.faults.add({
      operation: 'VirtualMachines_CreateOrUpdate',
      effect: { kind: 'fail', refusal: knownRefusals.allocationFailed() },
    });
    await world.passing(old.provider.create(claim, unendingCall));
    const azure = await world.provider(inPool(world));
    await world.clock.advance(60_000);
    await world.passing(maintenance(azure));
    await world.passing(azure.idle());
    expect(failedLaunchIn(world, 'general-x7k2p')).toMatchObject({ cause: 'AllocationFailure', isOutOfStock: true });
    await world.until(() => world.arm.vms().length === 0);
  });
});

describe('machines of an agent pool that are left when VMs are made again', () => {
  const afterSwitch = async (world: AzureWorld, more: Readonly<Record<string, string>>): Promise<AzureProvider> => {
    const before = await world.provider();
    const machine = await world.passing(before.provider.create(claim, unendingCall));
    await world.passing(before.idle());
    const metadata = { ...claim.metadata, annotations: machine.annotations ?? {} };
    world.cluster.put({ ...claim, metadata, status: { providerID: machine.providerId, imageID: machine.imageId } } as typeof claim);
    return world.provider({ PROVISION_MODE: 'aksscriptless', USE_SIG: 'false', ...more });
  };
  const KEPT = { MANAGE_EXISTING_AKS_MACHINES: 'true' };
  const poolMachine = ({ cluster }: AzureWorld) => cluster.objects.get('NodeClaim/general-x7k2p') as NodeClaim;

  test('are listed, found, not drifted for that, and deleted where that is said; new ones are VMs', async () => {
    await using world = await azureWorld({ variables, latencies: { resourceGraphDelayMs: 0 } });
    const azure = await afterSwitch(world, KEPT);
    await world.passing(azure.provider.create(aClaim('general-b2c3d'), unendingCall));
    await world.passing(azure.idle());
    expect(world.arm.requests.count('VirtualMachines_CreateOrUpdate')).toBe(1);
    const listed = await world.passing(azure.provider.list(unendingCall));
    expect(listed.map(({ claimName }) => claimName).sort()).toEqual(['general-b2c3d', 'general-x7k2p']);
    const { providerID = '' } = poolMachine(world).status ?? {};
    expect(await world.passing(azure.provider.get(providerID, unendingCall))).toMatchObject({ claimName: 'general-x7k2p' });
    expect(await world.passing(azure.provider.isDrifted(poolMachine(world), unendingCall))).toBeUndefined();
    await world.passing(azure.provider.delete(poolMachine(world), unendingCall));
    await world.until(() => world.arm.vms().length === 1);
  });

  test('get new tags of their class, as VMs do', async () => {
    await using world = await azureWorld({ variables });
    const azure = await afterSwitch(world, KEPT);
    const conditions = [{ type: nodeClaimConditions.registered, status: 'True' as const }];
    world.cluster.put({ ...poolMachine(world), status: { ...poolMachine(world).status, conditions } } as typeof claim);
    const edited = { ...aNodeClass(), ...world.cluster.nodeClass(), spec: { ...aNodeClass().spec, tags: { owner: 'search' } } };
    world.cluster.put(edited);
    await world.passing(resolveClasses(azure, world.cluster));
    expect(world.arm.vms().map(({ tags }) => tags['owner'])).toEqual(['search']);
  });

  test('are nobody’s where that is not said', async () => {
    await using world = await azureWorld({ variables, latencies: { resourceGraphDelayMs: 0 } });
    const azure = await afterSwitch(world, {});
    expect(await world.passing(azure.provider.list(unendingCall))).toEqual([]);
    expect(await world.passing(azure.provider.delete(poolMachine(world), unendingCall))).toBe('gone');
    expect(world.arm.vms()).toHaveLength(1);
  });

  test('that were still coming end their claim when they do not come', async () => {
    await using world = await azureWorld({ variables });
    world.arm.faults.add({ operation: CREATE, effect: { kind: 'fail', refusal: knownRefusals.allocationFailed() } });
    const before = await world.provider();
    await world.passing(before.provider.create(claim, unendingCall));
    world.cluster.put(claim);
    const azure = await world.provider({ PROVISION_MODE: 'aksscriptless', USE_SIG: 'false', ...KEPT });
    await world.clock.advance(60_000);
    await world.passing(maintenance(azure));
    await world.passing(azure.idle());
    expect(failedLaunchIn(world, 'general-x7k2p')).toMatchObject({ cause: 'AllocationFailure', isOutOfStock: true });
    await world.until(() => world.arm.vms().length === 0);
  });
});
