import { expect, test } from '@jest/globals';
import { fakeClock, requeueAfter } from '@karpenter/runtime';
import { BILLING_EXTENSION } from '../machines/index.ts';
import { machineMaintenance, type MaintenanceDeps } from './machine-maintenance.ts';

test('a pass ends once it has taken its period, and the next one goes on: one that never ended would count as stuck', async () => {
  const clock = fakeClock(0);
  const names = ['general-a', 'general-b', 'general-c'];
  const claims = names.map((name) => ({ metadata: { name }, status: { conditions: [{ type: 'Registered', status: 'True' }] } }));
  const vms = names.map((name) => ({
    name: `aks-${name}`,
    provisioningState: 'Succeeded',
    tags: { 'karpenter.azure.com_cluster': 'main' },
    resources: [] as { id: string }[],
  }));
  const deps = {
    kube: { list: () => Promise.resolve({ items: claims, resourceVersion: '1' }) },
    arm: { listVms: () => Promise.resolve(vms) },
    aksMachines: undefined,
    reservations: { behind: () => undefined },
    follower: { follow: () => undefined },
    clock,
    extensions: [BILLING_EXTENSION],
    options: { location: 'eastus', clusterName: 'main' },
    complete: async ({ name }: { readonly name: string }) => {
      await clock.advance(200_000);
      vms.find((vm) => vm.name === name)?.resources.push({ id: `/x/virtualMachines/${name}/extensions/${BILLING_EXTENSION}` });
    },
  } as unknown as MaintenanceDeps;
  const maintenance = machineMaintenance(deps);
  const completed = (): readonly string[] => vms.filter(({ resources }) => resources.length > 0).map(({ name }) => name);
  expect(await maintenance.reconcile({ signal: new AbortController().signal })).toEqual(requeueAfter(300_000));
  expect(completed()).toEqual(['aks-general-a', 'aks-general-b']);
  await maintenance.reconcile({ signal: new AbortController().signal });
  expect(completed()).toEqual(['aks-general-a', 'aks-general-b', 'aks-general-c']);
});
