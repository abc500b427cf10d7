import { describe, expect, jest, test } from '@jest/globals';
import type { NodeClaim } from '@karpenter/core';
import { azureAnnotations } from '../apis/index.ts';
import { aNodeClass, type AzureWorld, azureWorld, resolveClasses, unendingCall } from '../testing/azure-world.ts';
import { ORIGINALS_HASH, poolMachineOfOriginal, vmOfOriginal } from '../testing/left-by-original.ts';
import { roundOf } from '../testing/maintenance.ts';
import type { AzureProvider } from '../plugin/create-azure-provider.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(180_000);
const LONG = 'a-node-pool-with-quite-a-long-name-x7k2p';
/** By the original's `GetAKSMachineNameFromNodeClaimName`. */
const LONG_MACHINE = 'a-node-pool-with-quitexq179a-x7k2p';

/** Machines of each mode of the original, each with the claims that it leaves. */
const MODES: readonly (readonly [mode: string, leave: (world: AzureWorld) => Promise<readonly NodeClaim[]>])[] = [
  ['aksscriptless', async (world) => [await vmOfOriginal(world, 'general-a1b2c'), await vmOfOriginal(world, LONG)]],
  ['bootstrappingclient', async (world) => [await vmOfOriginal(world, 'general-a1b2c', { hasScript: true })]],
  [
    'aksmachineapi',
    async (world) => [
      await poolMachineOfOriginal(world, 'general-a1b2c', 'general-a1b2c'),
      await poolMachineOfOriginal(world, LONG, LONG_MACHINE),
    ],
  ],
  ['aksmachineapiheaderbatch', async (world) => [await poolMachineOfOriginal(world, LONG, LONG_MACHINE)]],
];

/** As the original stamps a class. */
const stampClass = (world: AzureWorld): void => {
  const { metadata, ...nodeClass } = aNodeClass();
  const annotations = { [azureAnnotations.nodeClassHash]: '11843', [azureAnnotations.nodeClassHashVersion]: 'v3' };
  world.cluster.put({ ...nodeClass, metadata: { ...metadata, annotations } });
};

/** Everything that runs, twice: the original has stopped, ours has started. */
const rounds = async (world: AzureWorld, azure: AzureProvider): Promise<void> => {
  for (let round = 0; round < 2; round++) {
    await world.passing(resolveClasses(azure, world.cluster));
    for (const { name } of azure.singletons) await world.passing(roundOf(azure, name));
    await world.clock.advance(600_000);
  }
  await world.passing(azure.idle());
};

const writesSince = ({ arm }: AzureWorld, count: number): readonly string[] =>
  arm.requests
    .all()
    .slice(count)
    .filter(({ method, path }) => method !== 'GET' && !/oauth2|ResourceGraph|Token/i.test(path))
    .map(({ method, operation }) => `${method} ${operation}`);

const current = ({ cluster }: AzureWorld, { metadata: { name } }: NodeClaim): NodeClaim =>
  cluster.objects.get(`NodeClaim/${name}`) as unknown as NodeClaim;

describe.each(MODES)('a cluster that the original leaves with machines by %s', (mode, leave) => {
  const start = async () => {
    const world = await azureWorld({ cloud: 'AzurePublicCloud', variables: { PROVISION_MODE: mode } });
    stampClass(world);
    const claims = await leave(world);
    const before = world.arm.requests.all().length;
    const azure = await world.provider();
    await rounds(world, azure);
    return { world, azure, claims, before };
  };

  test('is taken over without a write to Azure and without a node that drifts, and goes back as it came', async () => {
    const { world, azure, claims, before } = await start();
    await using _ = world;
    expect(writesSince(world, before)).toEqual([]);
    for (const claim of claims) {
      expect(await world.passing(azure.provider.isDrifted(current(world, claim), unendingCall))).toBeUndefined();
      expect(current(world, claim).metadata.annotations?.[azureAnnotations.inPlaceUpdateHash]).toBe(ORIGINALS_HASH);
    }
    const listed = await world.passing(azure.provider.list(unendingCall));
    expect(listed.map(({ providerId }) => providerId).sort()).toEqual(claims.map(({ status }) => status?.providerID).sort());
    expect(listed.map(({ claimName }) => claimName).sort()).toEqual(claims.map(({ metadata }) => metadata.name).sort());
  });

  test('has its machines deleted with their claims, those of long names too', async () => {
    const { world, azure, claims } = await start();
    await using _ = world;
    for (const claim of claims) expect(await world.passing(azure.provider.delete(current(world, claim), unendingCall))).toBe('terminating');
    await world.until(() => world.arm.vms().length === 0 && world.arm.nics().length === 0 && world.arm.disks().length === 0);
    await world.clock.advance(60_000);
    for (const claim of claims) expect(await world.passing(azure.provider.delete(current(world, claim), unendingCall))).toBe('gone');
  });
});
