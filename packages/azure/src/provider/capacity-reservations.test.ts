import { describe, expect, jest, test } from '@jest/globals';
import { type InstanceType, labels, type NodeClaim } from '@karpenter/core';
import { knownRefusals } from '@karpenter/azure-emulator';
import { azureLabels } from '../apis/index.ts';
import { aClaim } from '../testing/a-claim.ts';
import { aPool, type AzureWorld, azureWorld, unendingCall } from '../testing/azure-world.ts';
import { failedLaunchIn } from '../testing/failed-launch-in.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';
import type { AzureProvider } from '../plugin/create-azure-provider.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);
const D4 = 'Standard_D4s_v3';
const kept = { group: 'web', name: 'd4', size: D4, zone: '2', quantity: 2 };

const oneOf = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values });
const reservedClaim = (name: string): NodeClaim & NamedObject => aClaim(name, oneOf(labels.capacityType, 'reserved'));
const anyClaim = (name: string): NodeClaim =>
  aClaim(name, oneOf(labels.instanceType, D4), oneOf(labels.capacityType, 'reserved', 'on-demand'));

const offersOf = async ({ provider }: AzureProvider): Promise<readonly string[]> => {
  const types: readonly InstanceType[] = await provider.getInstanceTypes(aPool, unendingCall);
  const offerings = types.find(({ name }) => name === D4)?.offerings ?? [];
  return offerings.flatMap(({ zone, isAvailable, reservation }) =>
    reservation === undefined ? [] : [`${zone} ${reservation.remaining}${isAvailable ? '' : ' blocked'}`],
  );
};

const refresh = async ({ singletons }: AzureProvider): Promise<void> => {
  for (const controller of singletons.filter(({ name }) => name === 'capacityreservation')) await controller.reconcile(unendingCall);
};

const create = (world: AzureWorld, { provider }: AzureProvider, claim: NodeClaim) => world.passing(provider.create(claim, unendingCall));

describe('capacity that Azure keeps', () => {
  test('is sold at next to nothing, by its id and its group, beside what is bought', async () => {
    await using world = await azureWorld({ reserved: [kept, { group: 'web', name: 'anywhere', size: D4, quantity: 1 }] });
    const azure = await world.provider();
    expect(await offersOf(azure)).toEqual(['eastus-2 2', '0 1']);
    const types = await azure.provider.getInstanceTypes(aPool, unendingCall);
    const offerings = types.find(({ name }) => name === D4)?.offerings ?? [];
    const [reserved, bought] = ['reserved', 'on-demand'].map((type) => offerings.find(({ capacityType }) => capacityType === type));
    expect(reserved?.pricePerHour).toBeLessThan(0.001 * (bought?.pricePerHour ?? 0));
    expect(azure.provider.labelCatalog.reservationId).toBe(azureLabels.capacityReservationId);
  });

  test('is launched into, also without quota for more, and says so on the machine', async () => {
    await using world = await azureWorld({ reserved: [kept], quotas: { families: { standardDSv3Family: 8 } } });
    const azure = await world.provider();
    const machine = await create(world, azure, reservedClaim('general-a'));
    expect(machine.labels).toMatchObject({
      [labels.capacityType]: 'reserved',
      [labels.zone]: 'eastus-2',
      [azureLabels.capacityReservationGroup]: 'web',
      'kubernetes.azure.com/scalesetpriority': 'regular',
    });
    await world.passing(azure.idle());
    expect(world.arm.vms()).toMatchObject([
      { size: D4, provisioningState: 'Succeeded', capacityReservationGroupId: expect.stringContaining('/web') },
    ]);
    expect((await world.passing(azure.provider.get(machine.providerId, unendingCall)))?.labels).toMatchObject({
      [labels.capacityType]: 'reserved',
    });
  });

  test('is counted once, by us and then by Azure, and free again when a machine is gone', async () => {
    await using world = await azureWorld({ reserved: [kept] });
    const azure = await world.provider();
    const claim = reservedClaim('general-a');
    await create(world, azure, claim);
    expect(await offersOf(azure)).toEqual(['eastus-2 1']);
    await world.passing(azure.idle());
    await world.clock.advance(60_000);
    await world.passing(refresh(azure));
    expect(await offersOf(azure)).toEqual(['eastus-2 1']);
    expect(await offersOf(await world.provider())).toEqual(['eastus-2 1']);
  });

  test('is counted too for a machine that an earlier try has made', async () => {
    await using world = await azureWorld({ reserved: [kept] });
    const first = await world.provider();
    const claim = reservedClaim('general-a');
    const second = await world.provider();
    await create(world, first, claim);
    expect((await create(world, second, claim)).labels).toMatchObject({ [labels.capacityType]: 'reserved' });
    expect(await offersOf(second)).toEqual(['eastus-2 1']);
  });

  test('is taken once by a claim that is launched twice at once', async () => {
    await using world = await azureWorld({ reserved: [{ ...kept, quantity: 1 }] });
    const azure = await world.provider();
    const claim = reservedClaim('general-a');
    const machines = await world.passing(
      Promise.all([azure.provider.create(claim, unendingCall), azure.provider.create(claim, unendingCall)]),
    );
    expect(machines.map(({ labels: has }) => has[labels.capacityType])).toEqual(['reserved', 'reserved']);
    expect(await offersOf(azure)).toEqual(['eastus-2 0']);
  });

  test('of the group that a claim asks for is all that it gets', async () => {
    await using world = await azureWorld({ reserved: [{ ...kept, quantity: 1 }] });
    const azure = await world.provider();
    const ofWeb = (name: string): NodeClaim => aClaim(name, oneOf(azureLabels.capacityReservationGroup, 'web'));
    expect((await create(world, azure, ofWeb('general-a'))).labels[labels.capacityType]).toBe('reserved');
    await expect(create(world, azure, ofWeb('general-b'))).rejects.toMatchObject({ code: 'insufficient-capacity' });
    const ofOthers = aClaim('general-c', { key: azureLabels.capacityReservationGroup, operator: 'NotIn', values: ['web'] });
    expect((await create(world, azure, ofOthers)).labels[labels.capacityType]).not.toBe('reserved');
  });

  test('that is used up is bought beyond, where a claim allows it', async () => {
    await using world = await azureWorld({ reserved: [{ ...kept, quantity: 1 }] });
    const azure = await world.provider();
    const claims = ['general-a', 'general-b'].map(anyClaim);
    const machines = await world.passing(Promise.all(claims.map((claim) => azure.provider.create(claim, unendingCall))));
    expect(machines.map(({ labels: has }) => has[labels.capacityType]).sort()).toEqual(['on-demand', 'reserved']);
  });
});

describe('a reservation that gives no machine', () => {
  test('is out for a while, and what can be bought is not', async () => {
    await using world = await azureWorld({ reserved: [kept] });
    const azure = await world.provider();
    const effect = { kind: 'refuse', refusal: knownRefusals.allocationFailed() } as const;
    world.arm.faults.add({ operation: 'VirtualMachines_CreateOrUpdate', times: 1, effect });
    await expect(create(world, azure, reservedClaim('general-a'))).rejects.toMatchObject({ code: 'insufficient-capacity' });
    expect(await offersOf(azure)).toEqual(['eastus-2 2 blocked']);
    const machine = await create(world, azure, anyClaim('general-b'));
    expect(machine.labels[labels.capacityType]).toBe('on-demand');
    await world.clock.advance(11 * 60_000);
    expect(await offersOf(azure)).toEqual(['eastus-2 2']);
  });

  test('when it was accepted first, gives its place back with the claim', async () => {
    await using world = await azureWorld({ reserved: [kept] });
    const azure = await world.provider();
    const claim = reservedClaim('general-a');
    world.cluster.put(claim);
    const effect = { kind: 'fail', refusal: knownRefusals.allocationFailed() } as const;
    world.arm.faults.add({ operation: 'VirtualMachines_CreateOrUpdate', times: 1, effect });
    await create(world, azure, claim);
    await world.passing(azure.idle());
    expect(failedLaunchIn(world, 'general-a')).toMatchObject({ cause: 'AllocationFailure', isOutOfStock: true });
    let outcome = 'terminating';
    while (outcome !== 'gone') {
      outcome = await world.passing(azure.provider.delete(claim, unendingCall));
      await world.clock.advance(5000);
    }
    expect(await offersOf(azure)).toEqual(['eastus-2 2 blocked']);
  });

  test('because it is gone since it was read, is out too', async () => {
    await using world = await azureWorld({ reserved: [kept] });
    const azure = await world.provider();
    world.arm.reservations.release(kept);
    const launching = create(world, azure, reservedClaim('general-a'));
    await expect(launching).rejects.toMatchObject({ code: 'insufficient-capacity', reason: 'ReservationUnusable' });
    expect((await create(world, azure, anyClaim('general-b'))).labels[labels.capacityType]).toBe('on-demand');
  });
});
