import { systemClock } from '@karpenter/runtime';
import { knownRefusals, startArmEmulator } from '@karpenter/azure-emulator';

await using azure = await startArmEmulator({
  clock: systemClock,
  location: 'eastus',
  quotas: { families: { standardDSv3Family: 10 } },
});
azure.faults.add({
  operation: 'VirtualMachines_CreateOrUpdate',
  zone: '1',
  times: 2,
  effect: { kind: 'fail', refusal: knownRefusals.zonalAllocationFailed() },
});
console.log(azure.url, azure.environmentFile());
