import { describe, expect, jest, test } from '@jest/globals';
import { labels } from '@karpenter/core';
import { knownRefusals } from '@karpenter/azure-emulator';
import { aClaim, D2, onDemand } from '../../testing/a-claim.ts';
import { aNodeClass, type AzureWorld, azureWorld, resolveClasses, unendingCall } from '../../testing/azure-world.ts';
import type { AzureProvider } from '../../plugin/create-azure-provider.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);
const variables = { PROVISION_MODE: 'aksmachineapiheaderbatch' };
const PUT = 'Machines_CreateOrUpdate';
const NAMES = ['general-aaaaa', 'general-bbbbb', 'general-ccccc'];

const inZone = (name: string, zone: string) => aClaim(name, D2, onDemand, { key: labels.zone, operator: 'In', values: [zone] });

/** The outcomes of launches that start at once. */
const launchAll = async (world: AzureWorld, azure: AzureProvider, names: readonly string[]) => {
  const answers = await world.passing(Promise.allSettled(names.map((name) => azure.provider.create(aClaim(name), unendingCall))));
  return answers.map((answer) => (answer.status === 'fulfilled' ? 'launched' : (answer.reason as { reason?: string }).reason));
};

const batchesOf = ({ arm }: AzureWorld): readonly string[][] =>
  arm.requests.of(PUT).flatMap(({ headers: { batchputmachine } }) => {
    if (batchputmachine === undefined) return [];
    const { batchMachines } = JSON.parse(batchputmachine) as { readonly batchMachines: readonly { readonly machineName: string }[] };
    return [batchMachines.map(({ machineName }) => machineName)];
  });

describe('machines of an agent pool that come together', () => {
  test('are requested by one call, each in its own zone and with its own tags', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    const claims = [inZone('general-aaaaa', 'eastus-1'), inZone('general-bbbbb', 'eastus-2')];
    const machines = await world.passing(Promise.all(claims.map((claim) => azure.provider.create(claim, unendingCall))));
    expect(world.arm.requests.count(PUT)).toBe(1);
    await world.passing(azure.idle());
    const vms = world.arm.vms().map(({ providerId, zone, tags }) => ({
      providerId,
      zone,
      claim: tags['karpenter.azure.com_aksmachine_nodeclaim'],
    }));
    expect(vms.sort((a, b) => ((a.zone ?? '') < (b.zone ?? '') ? -1 : 1))).toEqual([
      { providerId: machines[0]?.providerId, zone: '1', claim: 'general-aaaaa' },
      { providerId: machines[1]?.providerId, zone: '2', claim: 'general-bbbbb' },
    ]);
  });

  test('go apart when they differ in more than that, and alone when nobody comes along', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    const D4 = { key: labels.instanceType, operator: 'In', values: ['Standard_D4s_v3'] } as const;
    const claims = [aClaim('general-aaaaa'), aClaim('general-bbbbb'), aClaim('general-ccccc', D4, onDemand)];
    await world.passing(Promise.all(claims.map((claim) => azure.provider.create(claim, unendingCall))));
    expect(batchesOf(world).map((names) => names.sort())).toEqual([['general-aaaaa', 'general-bbbbb']]);
    expect(world.arm.requests.count(PUT)).toBe(2);
  });

  test('are no more at once than the option says', async () => {
    await using world = await azureWorld({ variables: { ...variables, PROVIDER_BATCH_MAX_SIZE: '2' } });
    const azure = await world.provider();
    expect(await launchAll(world, azure, [...NAMES, 'general-ddddd'])).toEqual(Array(4).fill('launched'));
    expect(batchesOf(world).map(({ length }) => length)).toEqual([2, 2]);
  });

  test('carry tags in any script', async () => {
    await using world = await azureWorld({ variables });
    world.cluster.put({ ...aNodeClass(), spec: { ...aNodeClass().spec, tags: { équipe: 'поиск 検索' } } } as ReturnType<typeof aNodeClass>);
    const azure = await world.provider();
    await world.passing(resolveClasses(azure, world.cluster));
    expect(await launchAll(world, azure, NAMES)).toEqual(Array(3).fill('launched'));
    await world.passing(azure.idle());
    expect(world.arm.vms().map(({ tags }) => tags['équipe'])).toEqual(Array(3).fill('поиск 検索'));
  });
});

describe('of machines in one request', () => {
  test('one is refused and leaves nothing; the others come', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    const effect = { kind: 'refuse', refusal: knownRefusals.skuNotAvailable('Standard_D2s_v3', 'eastus') } as const;
    world.arm.faults.add({ operation: PUT, name: 'general-bbbbb', effect });
    expect(await launchAll(world, azure, NAMES)).toEqual(['launched', 'SKUNotAvailable', 'launched']);
    await world.passing(azure.idle());
    expect(world.arm.vms()).toHaveLength(2);
  });

  test('one for which AKS is not well is not asked for again with the others', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    world.arm.faults.add({
      operation: PUT,
      name: 'general-bbbbb',
      times: 1,
      effect: { kind: 'refuse', refusal: knownRefusals.internalError() },
    });
    expect(await launchAll(world, azure, NAMES)).toEqual(['launched', 'AzureUnreachable', 'launched']);
    expect(world.arm.requests.count(PUT)).toBe(1);
    expect(await launchAll(world, azure, ['general-bbbbb'])).toEqual(['launched']);
    await world.passing(azure.idle());
    expect(world.arm.vms()).toHaveLength(3);
  });

  test('all wait when the subscription is throttled', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    world.arm.faults.add({ operation: PUT, times: 3, effect: { kind: 'refuse', refusal: knownRefusals.tooManyRequests(600) } });
    expect(await launchAll(world, azure, NAMES)).toEqual(Array(3).fill('Throttled'));
    expect(world.arm.requests.count(PUT)).toBe(1);
    expect(world.arm.vms()).toEqual([]);
  });

  test('none is made twice when the answer was lost', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    world.arm.faults.add({ operation: PUT, name: 'general-aaaaa', times: 1, effect: { kind: 'reset', when: 'after' } });
    expect(await launchAll(world, azure, NAMES)).toEqual(Array(3).fill('launched'));
    await world.passing(azure.idle());
    expect(world.arm.vms()).toHaveLength(3);
  });
});
