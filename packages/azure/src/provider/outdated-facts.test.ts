import { describe, expect, jest, test } from '@jest/globals';
import { refusal } from '@karpenter/azure-emulator';
import { type AKSNodeClass, azureAnnotations } from '../apis/index.ts';
import { aClaim } from '../testing/a-claim.ts';
import { aNodeClass, azureWorld, resolveClasses, unendingCall } from '../testing/azure-world.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);
const { nodeClassHash: HASH, nodeClassHashVersion: HASH_VERSION, inPlaceUpdateHash: IN_PLACE } = azureAnnotations;
const NIC = 'NetworkInterfaces_CreateOrUpdate';
const VM = 'VirtualMachines_CreateOrUpdate';

describe('a launch by what is no longer so', () => {
  test.each([
    ['a backend pool that is gone is looked up again, once', 1, [400, 201]],
    ['one that is gone again is reported', Infinity, [400, 400]],
  ])('%s', async (_name, times, statuses) => {
    await using world = await azureWorld();
    const azure = await world.provider();
    const [pool = ''] = world.arm.account.backendPoolIds;
    const gone = refusal(400, 'InvalidResourceReference', `Resource ${pool} referenced by resource aks-general-a was not found.`);
    world.arm.faults.add({ operation: NIC, effect: { kind: 'refuse', refusal: gone }, times });
    const launch = world.passing(azure.provider.create(aClaim('general-a'), unendingCall));
    const outcome = await launch.then(
      () => 'launched',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    );
    expect(outcome).toEqual(times === 1 ? 'launched' : expect.stringContaining('was not found'));
    expect(world.arm.requests.of(NIC).map(({ status }) => status)).toEqual(statuses);
    expect(world.arm.requests.count('LoadBalancers_List')).toBe(2);
  });

  test('when another reference is wrong › the pools are not read again', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    const gone = refusal(
      400,
      'InvalidResourceReference',
      `Resource ${world.arm.account.subnetId} referenced by aks-general-a was not found.`,
    );
    world.arm.faults.add({ operation: NIC, effect: { kind: 'refuse', refusal: gone } });
    await expect(world.passing(azure.provider.create(aClaim('general-a'), unendingCall))).rejects.toThrow('was not found');
    expect(world.arm.requests.count('LoadBalancers_List')).toBe(1);
  });

  test('a class that was edited makes no machine before it is resolved again', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    const before = { ...aNodeClass(), ...world.cluster.nodeClass() };
    const edited = { ...before, metadata: { ...before.metadata, generation: 2 }, spec: { imageFamily: 'AzureLinux' as const } };
    world.cluster.put(edited);
    const refused = world.passing(azure.provider.create(aClaim('general-a'), unendingCall));
    await expect(refused).rejects.toMatchObject({ code: 'launch-failed', reason: 'NodeClassReadinessUnknown' });
    expect([world.arm.requests.count(NIC), world.arm.requests.count(VM)]).toEqual([0, 0]);
    await world.passing(resolveClasses(azure, world.cluster));
    await world.passing(azure.provider.create(aClaim('general-a'), unendingCall));
    expect(world.arm.requests.count(VM)).toBe(1);
  });

  test.each([['aksscriptless'], ['aksmachineapi']])('a machine of an earlier try keeps the class that it was made by: %s', async (mode) => {
    await using world = await azureWorld({ variables: { PROVISION_MODE: mode } });
    const first = await world.provider();
    const made = await world.passing(first.provider.create(aClaim('general-a'), unendingCall));
    await world.passing(first.idle());
    const before = { ...aNodeClass(), ...world.cluster.nodeClass() };
    world.cluster.put({ ...before, spec: { ...before.spec, osDiskSizeGB: 256 } } as AKSNodeClass & NamedObject);
    const second = await world.provider();
    const adopted = await world.passing(second.provider.create(aClaim('general-a'), unendingCall));
    expect(adopted.annotations).toMatchObject({ [HASH]: made.annotations?.[HASH], [HASH_VERSION]: made.annotations?.[HASH_VERSION] });
    expect(adopted.annotations?.[HASH]).not.toBe(world.cluster.nodeClass()?.metadata.annotations?.[HASH]);
    expect(adopted.annotations?.[IN_PLACE]).toBe(made.annotations?.[IN_PLACE]);
  });
});
