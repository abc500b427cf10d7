import { describe, expect, jest, test } from '@jest/globals';
import { type NodeClaim, nodeClaimConditions } from '@karpenter/core';
import { knownRefusals } from '@karpenter/azure-emulator';
import { requeueAfter, settled } from '@karpenter/runtime';
import type { AKSNodeClass } from '../apis/index.ts';
import type { AzureProvider } from '../plugin/create-azure-provider.ts';
import { aClaim } from '../testing/a-claim.ts';
import { aNodeClass, type AzureWorld, azureWorld, updateInPlace, unendingCall } from '../testing/azure-world.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);
const IDENTITY =
  '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/nodes/providers/Microsoft.ManagedIdentity/userAssignedIdentities/kubelet';

/** A claim with its machine, which has joined by default. */
const launchOne = async (world: AzureWorld, azure: AzureProvider, status: 'True' | 'Unknown' = 'True'): Promise<void> => {
  const claim = aClaim('general-a');
  const machine = await world.passing(azure.provider.create(claim, unendingCall));
  await world.passing(azure.idle());
  const conditions = [{ type: nodeClaimConditions.registered, status, lastTransitionTime: '2026-01-01T00:00:00Z' }];
  const metadata = { ...claim.metadata, annotations: { ...machine.annotations } };
  world.cluster.put({ ...claim, metadata, status: { providerID: machine.providerId, conditions } } as NodeClaim & NamedObject);
};

const retag = (world: AzureWorld, tags: Readonly<Record<string, string>>): void => {
  const resolved = world.cluster.nodeClass();
  world.cluster.put({ ...resolved, spec: { ...aNodeClass().spec, tags } } as AKSNodeClass & NamedObject);
};

const writes = ({ arm }: AzureWorld): readonly string[] =>
  arm.requests
    .all()
    .filter(({ method }) => method === 'PATCH')
    .map(({ operation }) => operation);

describe('tags of a class', () => {
  test('reach the interface, the extension and the machine, and then nothing is written again', async () => {
    await using world = await azureWorld({ cloud: 'AzurePublicCloud' });
    const azure = await world.provider();
    await launchOne(world, azure);
    await world.clock.advance(10_000);
    expect(await updateInPlace(world, azure)).toEqual(settled);
    expect(writes(world)).toEqual([]);
    retag(world, { owner: 'search' });
    expect(await updateInPlace(world, azure)).toEqual(settled);
    expect(await updateInPlace(world, azure)).toEqual(settled);
    expect(writes(world)).toEqual(['NetworkInterfaces_UpdateTags', 'VirtualMachineExtensions_Update', 'VirtualMachines_Update']);
    expect(world.arm.vms()[0]?.tags).toMatchObject({ owner: 'search', 'karpenter.sh_nodepool': 'general' });
    expect(world.arm.vms()[0]?.tags).not.toHaveProperty('team');
  });

  test('that Azure throttles stay counted as left, in the metric and in the log', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    await launchOne(world, azure);
    await world.clock.advance(10_000);
    retag(world, { owner: 'search' });
    const refusal = knownRefusals.tooManyRequests(600);
    world.arm.faults.add({ operation: 'NetworkInterfaces_UpdateTags', effect: { kind: 'refuse', refusal } });
    await expect(updateInPlace(world, azure)).rejects.toMatchObject({ code: 'throttled' });
    expect(world.observed.gauged('karpenter_azure_in_place_updates_left')).toEqual([0, 1]);
    expect(world.observed.lines.filter((line) => line.includes('machines are still to be brought'))).toHaveLength(1);
  });

  test('wait for a machine to join', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    await launchOne(world, azure, 'Unknown');
    retag(world, { owner: 'search' });
    expect(await updateInPlace(world, azure)).toEqual(requeueAfter(60_000));
    expect(writes(world)).toEqual([]);
  });
});

describe('identities of the options', () => {
  test('are added to machines that lack them after a restart with other options', async () => {
    await using before = await azureWorld();
    const azure = await before.provider();
    await launchOne(before, azure);
    const after = await before.provider({ NODE_IDENTITIES: IDENTITY });
    expect(await updateInPlace(before, after)).toEqual(settled);
    expect(before.arm.requests.of('VirtualMachines_Update')).toMatchObject([
      { body: { identity: { type: 'UserAssigned', userAssignedIdentities: { [IDENTITY]: {} } } } },
    ]);
  });
});
