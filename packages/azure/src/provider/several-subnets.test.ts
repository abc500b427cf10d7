import { describe, expect, jest, test } from '@jest/globals';
import { type AKSNodeClass, azureAnnotations } from '../apis/index.ts';
import { aClaim } from '../testing/a-claim.ts';
import { aNodeClass, type AzureWorld, azureWorld, resolveClasses, unendingCall } from '../testing/azure-world.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';
import { failedLaunchIn } from '../testing/failed-launch-in.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);
/** Three addresses for nodes, and eleven. */
const network = { vnet: 'own', subnets: { small: '10.1.0.0/29', large: '10.1.0.16/28' } };
const modes = ['aksscriptless', 'bootstrappingclient', 'aksmachineapi', 'aksmachineapiheaderbatch'];

const subnetIn = ({ arm }: AzureWorld, name: string): string => arm.account.subnetId.replace(/[^/]+$/, name);

const withBoth = async (world: AzureWorld) => {
  const nodeClass = aNodeClass();
  const additionalSubnetIDs = [subnetIn(world, 'large')];
  const changed: AKSNodeClass & NamedObject = { ...nodeClass, spec: { ...nodeClass.spec, additionalSubnetIDs } };
  world.cluster.put(changed);
  const azure = await world.provider();
  await world.passing(resolveClasses(azure, world.cluster));
  return azure;
};

/** Subnet → how many interfaces are in it. */
const joinedIn = ({ arm }: AzureWorld): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(arm.nics(), ({ subnetId }) => subnetId.replace(/^.*\//, ''))].map(([name, all]) => [name, all.length]),
  );

describe.each(modes)('machines by %s in two subnets', (mode) => {
  test('fill both, are refused by neither, and wait when both are full', async () => {
    await using world = await azureWorld({ network, variables: { PROVISION_MODE: mode } });
    const azure = await withBoth(world);
    const claims = Array.from({ length: 14 }, (_, index) => aClaim(`general-${String.fromCharCode(97 + index)}2c3d`));
    for (const claim of claims) world.cluster.put(claim);
    const machines = await world.passing(Promise.all(claims.map((claim) => azure.provider.create(claim, unendingCall))));
    await world.passing(azure.idle());
    expect(joinedIn(world)).toEqual({ small: 3, large: 11 });
    expect(world.arm.requests.all().filter(({ method, status }) => method === 'PUT' && status >= 400)).toEqual([]);
    expect(claims.filter((_, index) => failedLaunchIn(world, claims[index]?.metadata.name ?? '') !== undefined)).toEqual([]);
    const subnets = machines.map(({ annotations }) => annotations?.[azureAnnotations.subnet]);
    expect(subnets.filter((id) => id === subnetIn(world, 'small'))).toHaveLength(3);
    expect(world.arm.requests.count('VirtualNetworks_ListUsage')).toBe(1);

    const late = world.passing(azure.provider.create(aClaim('general-late1'), unendingCall));
    await expect(late).rejects.toMatchObject({ code: 'launch-failed', reason: 'SubnetIsFull' });
  });
});

describe('machines in two subnets', () => {
  test('join the other one when somebody else has filled the first', async () => {
    await using world = await azureWorld({ network });
    const azure = await withBoth(world);
    const full = { status: 400, error: { code: 'SubnetIsFull', message: 'Subnet large does not have enough capacity' } };
    world.arm.faults.add({ operation: 'NetworkInterfaces_CreateOrUpdate', times: 1, effect: { kind: 'refuse', refusal: full } });
    const claim = aClaim('general-x7k2p');
    await expect(world.passing(azure.provider.create(claim, unendingCall))).rejects.toMatchObject({ reason: 'SubnetIsFull' });
    await world.passing(azure.provider.create(claim, unendingCall));
    expect(joinedIn(world)).toEqual({ small: 1 });
  });

  test('have drifted when their subnet is taken from the class, and only then', async () => {
    await using world = await azureWorld({ network });
    const azure = await withBoth(world);
    const claim = aClaim('general-x7k2p');
    const { annotations = {}, imageId = '' } = await world.passing(azure.provider.create(claim, unendingCall));
    expect(annotations[azureAnnotations.subnet]).toBe(subnetIn(world, 'large'));
    const launched = { ...claim, metadata: { ...claim.metadata, annotations }, status: { imageID: imageId } };
    expect(await world.passing(azure.provider.isDrifted(launched, unendingCall))).toBeUndefined();
    world.cluster.put(aNodeClass());
    expect(await world.passing(azure.provider.isDrifted(launched, unendingCall))).toBe('SubnetDrift');
  });
});
