import { allocatableOf, type InstanceType, labels, type Machine, quantitiesOf, type Resources } from '@karpenter/core';
import { aksLabels, azureLabels } from '../apis/index.ts';
import { vmPriorityOf, singleValues } from '../catalog/index.ts';
import { placementScopeOf } from '../zones/index.ts';
import { claimNameOfMachine, type MachineGroup, vmProviderIdOf } from './machine-names.ts';
import { machineTags } from './machine-tags.ts';
import type { VmFacts } from './vm-facts.ts';

const withoutZeros = (resources: Resources): Resources =>
  Object.fromEntries(Object.entries(resources).filter(([, amount]) => amount !== 0));

const boughtLabels = (vm: VmFacts): Readonly<Record<string, string>> => ({
  [labels.zone]: vm.zone,
  [azureLabels.placementScope]: placementScopeOf(vm.zone),
  [labels.capacityType]: vm.capacityType,
  [aksLabels.scaleSetPriority]: vmPriorityOf(vm.capacityType),
  [aksLabels.priority]: vmPriorityOf(vm.capacityType),
  [azureLabels.skuUltraSSD]: String(vm.hasUltraSsd),
  ...(vm.reservation !== undefined && {
    [azureLabels.capacityReservationId]: vm.reservation.id,
    [azureLabels.capacityReservationGroup]: vm.reservation.group,
  }),
});

/** Labels that are known to be true of a machine of a type. */
export const machineLabelsOf = (vm: VmFacts, type: InstanceType | undefined): Readonly<Record<string, string>> => {
  const { [azureLabels.skuHyperVGeneration]: _generation, ...ofType } = type === undefined ? {} : singleValues(type.requirements);
  const pool = vm.tags[machineTags.nodePool];
  return { ...ofType, ...boughtLabels(vm), ...(pool !== undefined && { [labels.nodePool]: pool }) };
};

/** The machine as core knows it; without its type it has neither labels of the size nor capacity. */
export const machineOf = (vm: VmFacts, type: InstanceType | undefined, group: MachineGroup): Machine => {
  const claimName = claimNameOfMachine(vm.name);
  return {
    providerId: vm.providerId ?? vmProviderIdOf(group, vm.name),
    labels: machineLabelsOf(vm, type),
    capacity: type === undefined ? {} : quantitiesOf(withoutZeros(type.capacity)),
    allocatable: type === undefined ? {} : quantitiesOf(withoutZeros(allocatableOf(type))),
    isTerminating: vm.provisioningState === 'Deleting',
    ...(claimName !== undefined && { claimName }),
    ...(vm.imageId !== undefined && { imageId: vm.imageId }),
    ...(vm.createdAt !== undefined && { createdAt: vm.createdAt }),
  };
};
