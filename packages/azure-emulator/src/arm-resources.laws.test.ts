import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { VmBody } from './compute/vms/vm-body.ts';
import { knownRefusals } from './faults/known-refusals.ts';
import type { ArmFaultEffect } from './faults/fault.ts';
import { type AnAzure, anAzure } from './fixtures/an-azure.ts';
import { isRefusal } from './serve/replies.ts';
import { UBUNTU_IMAGE } from './fixtures/a-vm.ts';

const smallAzure = (): AnAzure => anAzure('10.0.0.0/29', { cores: 6, lowPriorityCores: 4 });

const idOf = ({ world }: AnAzure, type: string, name: string): string =>
  `/subscriptions/${world.account.subscriptionId}/resourceGroups/${world.account.nodeResourceGroup}/providers/${type}/${name}`;
const nicId = (on: AnAzure, name: string): string => idOf(on, 'Microsoft.Network/networkInterfaces', name);
const vmId = (on: AnAzure, name: string): string => idOf(on, 'Microsoft.Compute/virtualMachines', name);

const vmBody = (on: AnAzure, name: string, spot: boolean): VmBody => ({
  location: 'eastus',
  properties: {
    hardwareProfile: { vmSize: 'Standard_D2s_v3' },
    storageProfile: {
      imageReference: { communityGalleryImageId: UBUNTU_IMAGE },
      osDisk: { name, createOption: 'FromImage', deleteOption: 'Delete' },
    },
    networkProfile: { networkInterfaces: [{ id: nicId(on, name), properties: { deleteOption: 'Delete' } }] },
    osProfile: {
      computerName: name,
      adminUsername: 'azureuser',
      linuxConfiguration: { disablePasswordAuthentication: true, ssh: { publicKeys: [{}] } },
    },
    ...(spot && { priority: 'Spot' }),
  },
});

const name = fc.constantFrom('a', 'b', 'c', 'd');
const effects = fc.oneof(
  { weight: 3, arbitrary: fc.constant<readonly ArmFaultEffect[]>([]) },
  fc.constant<readonly ArmFaultEffect[]>([{ kind: 'lose' }]),
  fc.constant<readonly ArmFaultEffect[]>([{ kind: 'delay', byMs: 60_000 }]),
  fc.boolean().map((afterBoot): readonly ArmFaultEffect[] => [{ kind: 'fail', refusal: knownRefusals.allocationFailed(), afterBoot }]),
);
const step = fc.oneof(
  fc.record({ do: fc.constant('put-nic' as const), name, effects }),
  fc.record({ do: fc.constant('put-vm' as const), name, effects, spot: fc.boolean() }),
  fc.record({ do: fc.constant('delete-nic' as const), name, effects }),
  fc.record({ do: fc.constant('delete-vm' as const), name, effects }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 200_000 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const take = async (on: AnAzure, next: Step): Promise<void> => {
  const resourceGroup = on.world.account.nodeResourceGroup;
  switch (next.do) {
    case 'put-nic': {
      const body = {
        location: 'eastus',
        properties: { ipConfigurations: [{ name: 'a', properties: { subnet: { id: on.world.account.subnetId } } }] },
      };
      on.nics.put({ id: nicId(on, next.name), resourceGroup, body, effects: next.effects });
      break;
    }
    case 'put-vm': {
      const body = vmBody(on, next.name, next.spot);
      on.vms.put({ id: vmId(on, next.name), subscriptionId: on.world.account.subscriptionId, resourceGroup, body, effects: next.effects });
      break;
    }
    case 'delete-nic': {
      const nic = on.nics.find(nicId(on, next.name));
      if (nic) on.nics.delete(nic, next.effects);
      break;
    }
    case 'delete-vm': {
      const vm = on.vms.find(vmId(on, next.name));
      if (vm) on.vms.delete(vm, next.effects);
      break;
    }
    case 'wait':
      await on.clock.advance(next.ms);
  }
};

const used = (on: AnAzure, quota: string): number => on.quota.usages([]).find((usage) => usage.name.value === quota)?.currentValue ?? NaN;

const expectConsistent = (on: AnAzure): void => {
  const machines = on.vms.all();
  expect(used(on, 'virtualMachines')).toBe(machines.length);
  expect(used(on, 'cores') + used(on, 'lowPriorityCores')).toBe(2 * machines.length);
  expect(on.disks.all().map((disk) => disk.managedBy)).toEqual(machines.map((vm) => vm.id));
  for (const nic of on.nics.all()) if (nic.vmId !== undefined) expect(on.vms.find(nic.vmId)).toBeDefined();
  for (const vm of machines) expect(on.nics.find(nicId(on, vm.name))?.vmId).toBe(vm.id);
  const addresses = on.nics.all().flatMap((nic) => nic.addresses);
  expect(new Set(addresses).size).toBe(addresses.length);
};

/** Twice, because the first request may join a deletion that is under way and fails. */
const deleteEverything = async (on: AnAzure): Promise<void> => {
  for (const _attempt of [1, 2]) {
    for (const vm of on.vms.all()) on.vms.delete(vm, []);
    await on.clock.advance(200_000);
  }
  for (const _attempt of [1, 2]) {
    for (const nic of on.nics.all()) expect(isRefusal(on.nics.delete(nic, []))).toBe(false);
    await on.clock.advance(61_000);
  }
};

test('whatever is requested, and whatever fails, quota, disks, interfaces and addresses belong to machines that exist', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const on = smallAzure();
      for (const next of steps) {
        await take(on, next);
        expectConsistent(on);
      }
      await deleteEverything(on);
      expect([on.vms.all().length, on.nics.all().length, on.disks.all().length, used(on, 'virtualMachines')]).toEqual([0, 0, 0, 0]);
      expect(on.clock.pendingTimers).toBe(0);
    }),
    { numRuns: 60 },
  );
});
