import { describe, expect, jest, test } from '@jest/globals';
import { knownRefusals } from '@karpenter/simulator/arm';
import { azureAnnotations } from '../apis/index.ts';
import { aClaim } from '../testing/a-claim.ts';
import { azureWorld } from '../testing/azure-world.ts';
import type { AzureProvider } from './create-azure-provider.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);

const call = { signal: new AbortController().signal };
const variables = { PROVISION_MODE: 'aksmachineapi' };
const claim = aClaim('general-x7k2p');
const CREATE = 'Machines_CreateOrUpdate';

const upkeep = async (azure: AzureProvider): Promise<void> => {
  for (const each of azure.singletons) if (each.name === 'instance.upkeep') await each.reconcile(call);
};

describe('machines of an agent pool', () => {
  test('are told by the id of their VM, their image as AKS names it, and their own id', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    const machine = await world.passing(azure.provider.create(claim, call));
    expect(machine).toMatchObject({
      providerId: expect.stringMatching(/virtualMachines\/aks-machines-general-x7k2p-\d{8}-vm$/),
      imageId: expect.stringMatching(/^AKSUbuntu-2204gen2containerd-/),
      annotations: { [azureAnnotations.aksMachineId]: expect.stringMatching(/agentPools\/machines\/machines\/general-x7k2p$/) },
    });
    await world.passing(azure.idle());
    expect(world.arm.vms().map(({ providerId }) => providerId)).toEqual([machine.providerId]);
  });

  test('that AKS could not make after all end their claim, and teach what is out of stock', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    world.cluster.put(claim);
    world.arm.faults.add({ operation: CREATE, times: 1, effect: { kind: 'fail', refusal: knownRefusals.zonalAllocationFailed() } });
    await world.passing(azure.provider.create(claim, call));
    await world.passing(azure.idle());
    await world.until(() => world.arm.vms().length === 0 && world.arm.nics().length === 0);
    expect(world.cluster.objects.has('NodeClaim/general-x7k2p')).toBe(false);
    const next = await world.passing(azure.provider.create(aClaim('general-b2c3d'), call));
    expect(next.labels['topology.kubernetes.io/zone']).not.toBe('eastus-1');
  });

  test('of the quota that there is none are refused after the machine was accepted, and leave nothing', async () => {
    await using world = await azureWorld({ variables, quotas: { families: { standardDSv3Family: 0 } } });
    const azure = await world.provider();
    world.cluster.put(claim);
    await world.passing(azure.provider.create(claim, call));
    await world.passing(azure.idle());
    expect(world.cluster.objects.has('NodeClaim/general-x7k2p')).toBe(false);
    await world.until(() => world.arm.nics().length === 0);
    expect(world.arm.vms()).toEqual([]);
  });

  test('have drifted when AKS says that their cluster wants them otherwise', async () => {
    await using world = await azureWorld({ variables });
    const azure = await world.provider();
    const { annotations = {}, imageId = '' } = await world.passing(azure.provider.create(claim, call));
    const launched = { ...claim, metadata: { ...claim.metadata, annotations }, status: { imageID: imageId } };
    expect(await world.passing(azure.provider.isDrifted(launched, call))).toBeUndefined();
    world.arm.driftMachines('Recreate');
    await world.clock.advance(30_000);
    expect(await world.passing(azure.provider.isDrifted(launched, call))).toBe('ClusterConfigDrift');
  });

  test('that failed while nobody looked end their claim after a restart', async () => {
    await using world = await azureWorld({ variables });
    const before = await world.provider();
    world.arm.faults.add({ operation: CREATE, effect: { kind: 'fail', refusal: knownRefusals.allocationFailed() } });
    await world.passing(before.provider.create(claim, call));
    const after = await world.provider();
    world.cluster.put(claim);
    await world.clock.advance(60_000);
    await world.passing(upkeep(after));
    await world.passing(after.idle());
    expect(world.cluster.objects.has('NodeClaim/general-x7k2p')).toBe(false);
  });

  test('are listed beside the VMs that another way of making them has left, which can still be deleted', async () => {
    await using world = await azureWorld({ latencies: { resourceGraphDelayMs: 0 } });
    const old = await world.provider();
    await world.passing(old.provider.create(claim, call));
    await world.passing(old.idle());
    const { imageSubscriptionId, machinesPoolName } = world.arm.account;
    const azure = await world.provider({
      ...variables,
      ...{ USE_SIG: 'true', SIG_SUBSCRIPTION_ID: imageSubscriptionId, AKS_MACHINES_POOL_NAME: machinesPoolName },
    });
    await world.passing(azure.provider.create(aClaim('general-b2c3d'), call));
    await world.passing(azure.idle());
    const listed = await world.passing(azure.provider.list(call));
    expect(listed.map(({ claimName }) => claimName).sort()).toEqual(['general-b2c3d', 'general-x7k2p']);
    await world.passing(azure.provider.delete(claim, call));
    await world.until(() => world.arm.vms().length === 1);
  });
});
