import type { DeleteOutcome } from '@karpenter/core';
import type { AksMachineApi } from '../arm/aks-machine-api.ts';
import type { AksMachineBody } from './aks-machine.ts';
import { type AksMachineScope, factsOfAksMachine, toldOf } from './aks-machine-facts.ts';
import { aksMachineNameOf } from './aks-machine-name.ts';
import type { MachineBackend, ToldOfLaunch } from './machine-backend.ts';

/** One machine of an agent pool to be made. */
export interface AksMachineOrder {
  readonly name: string;
  readonly body: AksMachineBody;
}

export interface AksMachineBackendSource {
  readonly arm: AksMachineApi;
  readonly scope: AksMachineScope;
}

/** Machines of an agent pool, whose VMs, interfaces and disks AKS makes and ends. */
export const aksMachineBackend = ({ arm, scope }: AksMachineBackendSource): MachineBackend<AksMachineOrder> => ({
  find: async (name, signal) => {
    const machine = await arm.getMachine(aksMachineNameOf(name), signal);
    return machine && factsOfAksMachine(machine, scope);
  },
  launch: async ({ name, body }, signal): Promise<ToldOfLaunch | 'exists'> => {
    const made = await arm.putMachine(aksMachineNameOf(name), body, signal);
    return made === 'exists' ? made : toldOf(made, scope);
  },
  made: (name, signal) => arm.machineMade(aksMachineNameOf(name), signal),
  remove: async (name, signal): Promise<DeleteOutcome> => {
    const machineName = aksMachineNameOf(name);
    const machine = await arm.getMachine(machineName, signal);
    if (machine === undefined) return 'gone';
    if (machine.properties.provisioningState !== 'Deleting') await arm.deleteMachine(machineName, signal);
    return 'terminating';
  },
});
