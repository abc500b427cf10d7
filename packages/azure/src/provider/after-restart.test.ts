import { describe, expect, jest, test } from '@jest/globals';
import { labels, type NodeClaim, nodeClaimConditions } from '@karpenter/core';
import { knownRefusals } from '@karpenter/azure-emulator';
import { aClaim } from '../testing/a-claim.ts';
import { type AzureWorld, azureWorld, unendingCall } from '../testing/azure-world.ts';
import { failedLaunchIn } from '../testing/failed-launch-in.ts';
import { maintenance, roundOf } from '../testing/maintenance.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';
import type { AzureProvider } from '../plugin/create-azure-provider.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);

const failing = (world: AzureWorld): void => {
  world.arm.faults.add({
    operation: 'VirtualMachines_CreateOrUpdate',
    zone: '1',
    effect: { kind: 'fail', refusal: knownRefusals.zonalAllocationFailed() },
  });
};

/** The process after one that created a machine which Azure accepted and will fail. */
const afterDoomedCreate = async (world: AzureWorld): ReturnType<AzureWorld['provider']> => {
  const claim = aClaim('general-a');
  world.cluster.put(claim);
  failing(world);
  const first = await world.provider();
  await world.passing(first.provider.create(claim, unendingCall));
  return world.provider();
};

const registered = (claim: NodeClaim & NamedObject): NodeClaim & NamedObject => ({
  ...claim,
  status: { conditions: [{ type: nodeClaimConditions.registered, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }] },
});

const MINUTE = 60_000;

test('when Azure reports OSProvisioningTimedOut of a machine whose node has joined › the machine stays and its claim too', async () => {
  await using world = await azureWorld();
  const claim = aClaim('general-a');
  world.cluster.put(claim);
  const azure = await world.provider();
  const operation = 'VirtualMachines_CreateOrUpdate';
  world.arm.faults.add({
    operation,
    effect: { kind: 'fail', refusal: knownRefusals.osProvisioningTimedOut('aks-general-a'), afterBoot: true },
  });
  world.arm.faults.add({ operation, effect: { kind: 'delay', byMs: 20 * MINUTE } });
  const events: string[] = [];
  world.arm.onVm(({ type }) => events.push(type));
  await world.passing(azure.provider.create(claim, unendingCall));
  await world.until(() => events.includes('running'));
  expect(world.arm.vms()).toMatchObject([{ provisioningState: 'Creating' }]);
  world.cluster.put(registered(claim));
  await world.passing(azure.idle());
  expect(world.arm.vms()).toMatchObject([{ provisioningState: 'Failed' }]);
  expect(failedLaunchIn(world, 'general-a')).toBeUndefined();
  expect(world.arm.requests.count('VirtualMachines_Delete')).toBe(0);
});

describe('a machine that was refused before a restart, whose interface is there', () => {
  const refusedBefore = async (world: AzureWorld, claim: NodeClaim): Promise<AzureProvider> => {
    const effect = { kind: 'refuse', refusal: knownRefusals.zonalAllocationFailed() } as const;
    world.arm.faults.add({ operation: 'VirtualMachines_CreateOrUpdate', times: 1, effect });
    const { provider } = await world.provider();
    await expect(world.passing(provider.create(claim, unendingCall))).rejects.toMatchObject({ code: 'offering-unavailable' });
    expect([world.arm.vms().length, world.arm.nics().length]).toEqual([0, 1]);
    return world.provider();
  };

  test('is made with that interface by the next process', async () => {
    await using world = await azureWorld();
    const { provider } = await refusedBefore(world, aClaim('general-a'));
    await world.passing(provider.create(aClaim('general-a'), unendingCall));
    expect([world.arm.vms().length, world.arm.nics().length]).toEqual([1, 1]);
    expect(world.arm.nics()).toMatchObject([{ name: 'aks-general-a' }]);
  });

  test('leaves nothing if its claim is deleted before it is launched again', async () => {
    await using world = await azureWorld();
    const azure = await refusedBefore(world, aClaim('general-a'));
    expect(await world.passing(azure.provider.delete(aClaim('general-a'), unendingCall))).toBe('gone');
    await world.clock.advance(300_000);
    await world.passing(roundOf(azure, 'networkinterface.garbagecollection'));
    await world.until(() => world.arm.nics().length === 0);
    expect(world.arm.requests.count('VirtualMachines_CreateOrUpdate')).toBe(1);
  });
});

describe('a machine that was accepted before a restart', () => {
  test('and failed meanwhile is reported to core within seconds of the start, and its offering counts as out of stock', async () => {
    await using world = await azureWorld();
    const second = await afterDoomedCreate(world);
    await world.clock.advance(60_000);
    expect(failedLaunchIn(world, 'general-a')).toBeUndefined();
    const startMs = world.clock.now();
    await world.passing(maintenance(second));
    await world.passing(second.idle());
    expect(world.clock.now() - startMs).toBeLessThan(30_000);
    expect(failedLaunchIn(world, 'general-a')).toMatchObject({ cause: 'ZonalAllocationFailure', isOutOfStock: true });
    const next = await world.passing(second.provider.create(aClaim('general-b'), unendingCall));
    expect(next.labels[labels.zone]).toBe('eastus-2');
  });

  test('and fails later is reported to core with the code from Azure', async () => {
    await using world = await azureWorld({ latencies: { vmCreateMs: 60_000 } });
    const second = await afterDoomedCreate(world);
    await world.passing(maintenance(second));
    await world.passing(second.idle());
    expect(failedLaunchIn(world, 'general-a')).toMatchObject({ cause: 'ZonalAllocationFailure', isOutOfStock: true });
    const next = await world.passing(second.provider.create(aClaim('general-b'), unendingCall));
    expect(next.labels[labels.zone]).toBe('eastus-2');
  });

  test('and came up is left alone', async () => {
    await using world = await azureWorld();
    const claim = aClaim('general-a');
    world.cluster.put(claim);
    const first = await world.provider();
    await world.passing(first.provider.create(claim, unendingCall));
    await world.passing(first.idle());
    const second = await world.provider();
    await world.passing(maintenance(second));
    await world.passing(second.idle());
    expect(failedLaunchIn(world, 'general-a')).toBeUndefined();
    expect(world.arm.requests.count('VirtualMachines_CreateOrUpdate')).toBe(1);
  });

  test('and has joined outlives a failure that came after', async () => {
    await using world = await azureWorld();
    const claim = aClaim('general-a');
    const first = await world.provider();
    await world.passing(first.provider.create(claim, unendingCall));
    world.arm.faults.add({
      operation: 'VirtualMachines_Update',
      effect: { kind: 'fail', refusal: knownRefusals.internalError() },
    });
    await world.passing(first.idle());
    world.cluster.put(registered(claim));
    const second = await world.provider();
    await world.passing(maintenance(second));
    await world.passing(second.idle());
    expect(failedLaunchIn(world, 'general-a')).toBeUndefined();
  });

  test('gets the billing extension that it still lacks, once', async () => {
    await using world = await azureWorld({ cloud: 'AzurePublicCloud', latencies: { vmCreateMs: 60_000 } });
    const claim = aClaim('general-a');
    world.cluster.put(claim);
    const first = await world.provider();
    await world.passing(first.provider.create(claim, unendingCall));
    const second = await world.provider();
    await world.clock.advance(60_000);
    expect(world.arm.requests.count('VirtualMachineExtensions_CreateOrUpdate')).toBe(0);
    for (let round = 0; round < 3; round++) await world.passing(maintenance(second));
    expect(world.arm.requests.of('VirtualMachineExtensions_CreateOrUpdate')).toMatchObject([
      { status: 201, path: expect.stringMatching(/\/aks-general-a\/extensions\/computeAksLinuxBilling$/) },
    ]);
  });
});
