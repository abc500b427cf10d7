import { describe, expect, jest, test } from '@jest/globals';
import { labels, nodeClaimConditions } from '@karpenter/core';
import { refusal } from '@karpenter/azure-emulator';
import type { AKSNodeClass } from '../../apis/index.ts';
import { SCRIPT_EXTENSION } from '../../machines/index.ts';
import { aClaim } from '../../testing/a-claim.ts';
import { aNodeClass, type AzureWorld, azureWorld, unendingCall } from '../../testing/azure-world.ts';
import { failedLaunchIn } from '../../testing/failed-launch-in.ts';
import type { NamedObject } from '../../testing/fake-cluster.ts';
import { maintenance } from '../../testing/maintenance.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);
const variables = { PROVISION_MODE: 'bootstrappingclient' };
const PUT_EXTENSION = 'VirtualMachineExtensions_CreateOrUpdate';
const claim = aClaim('general-x7k2p');

const scriptsOf = ({ arm }: AzureWorld): readonly unknown[] =>
  arm.requests
    .of(PUT_EXTENSION)
    .filter(({ path }) => path.endsWith(SCRIPT_EXTENSION))
    .map(({ body }) => body);

describe('machines whose user data the node bootstrapping service writes', () => {
  test('run the script of the service once they are up', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    await world.passing(azure.provider.create(claim, unendingCall));
    expect(scriptsOf(world)).toEqual([]);
    await world.passing(azure.idle());
    expect(scriptsOf(world)).toMatchObject([
      { properties: { protectedSettings: { commandToExecute: expect.stringContaining('TLS_BOOTSTRAP_TOKEN="abcdef.0123456789abcdef"') } } },
    ]);
  });

  test('are not tried when the service refuses, and the reason is reported', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    world.arm.faults.add({ operation: 'NodeBootstrapping_Get', effect: { kind: 'refuse', refusal: refusal(400, '', 'no such distro') } });
    await expect(world.passing(azure.provider.create(claim, unendingCall))).rejects.toMatchObject({
      code: 'launch-failed',
      reason: 'NodeBootstrappingFailed',
      message: expect.stringContaining('no such distro'),
    });
    expect([world.arm.vms(), world.arm.nics()]).toEqual([[], []]);
  });

  test('are not tried for a class that fills GPUs with MIG partitions: the service is not known to do that', async () => {
    await using world = await azureWorld({ variables });
    world.cluster.put({ ...aNodeClass(), spec: { gpu: { mig: 'MIG1g' } } } as AKSNodeClass & NamedObject);
    const azure = await world.provider();
    const size = { key: labels.instanceType, operator: 'In' as const, values: ['Standard_NC24ads_A100_v4'] };
    await expect(world.passing(azure.provider.create(aClaim('general-x7k2p', size), unendingCall))).rejects.toMatchObject({
      reason: 'NodeBootstrappingFailed',
      message: expect.stringContaining('gpu.mig is MIG1g'),
    });
  });

  test('go when their script fails, and their claim with them', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    world.cluster.put(claim);
    const failure = refusal(409, 'VMExtensionProvisioningError', 'the command has exited with 50');
    world.arm.faults.add({ operation: PUT_EXTENSION, name: SCRIPT_EXTENSION, effect: { kind: 'fail', refusal: failure } });
    await world.passing(azure.provider.create(claim, unendingCall));
    await world.passing(azure.idle());
    await world.until(() => world.arm.vms().length === 0);
    expect(failedLaunchIn(world, 'general-x7k2p')).toMatchObject({ cause: 'BootstrapScriptFailed', isOutOfStock: false });
  });

  test('get their script from the service again after a restart', async () => {
    await using world = await azureWorld({ variables });
    const before = await world.provider();
    const { providerId } = await world.passing(before.provider.create(claim, unendingCall));
    world.cluster.put({ ...claim, status: { providerID: providerId } } as typeof claim);
    const after = await world.provider();
    await world.clock.advance(60_000);
    await world.passing(maintenance(after));
    await world.passing(after.idle());
    expect(scriptsOf(world)).toHaveLength(1);
    await world.passing(maintenance(after));
    expect(scriptsOf(world)).toHaveLength(1);
  });

  test('that have joined are left alone, whatever became of their script', async () => {
    await using world = await azureWorld({ variables });
    const before = await world.provider();
    const { providerId } = await world.passing(before.provider.create(claim, unendingCall));
    const conditions = [{ type: nodeClaimConditions.registered, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
    const after = await world.provider();
    world.cluster.put({ ...claim, status: { providerID: providerId, conditions } } as typeof claim);
    await world.clock.advance(60_000);
    await world.passing(maintenance(after));
    await world.passing(after.idle());
    expect(scriptsOf(world)).toEqual([]);
  });
});
