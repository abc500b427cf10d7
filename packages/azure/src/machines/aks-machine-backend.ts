import type { DeleteOutcome } from '@karpenter/core';
import type { AksMachineApi } from '../arm/aks-machine-api.ts';
import { ArmError } from '../arm/arm-error.ts';
import type { AksMachine, AksMachineBody } from './aks-machine.ts';
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

/** Nothing stays behind of a machine that AKS has refused: it keeps such ones as failed. */
const removeRefused = async (arm: AksMachineApi, name: string, signal: AbortSignal): Promise<void> => {
  try {
    await arm.deleteMachine(name, signal);
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
  }
};

/** A machine whose VM is not named yet in the answer to its PUT is asked for once. */
const told = async (arm: AksMachineApi, made: AksMachine, signal: AbortSignal): Promise<AksMachine> =>
  made.properties.resourceId === undefined ? ((await arm.getMachine(made.name, signal)) ?? made) : made;

/** Machines of an agent pool, whose VMs, interfaces and disks AKS makes and ends. */
export const aksMachineBackend = ({ arm, scope }: AksMachineBackendSource): MachineBackend<AksMachineOrder> => ({
  find: async (name, signal) => {
    const machine = await arm.getMachine(aksMachineNameOf(name), signal);
    return machine && factsOfAksMachine(machine, scope);
  },
  launch: async ({ name, body }, signal): Promise<ToldOfLaunch | 'exists'> => {
    const machineName = aksMachineNameOf(name);
    try {
      const made = await arm.putMachine(machineName, body, signal);
      return made === 'exists' ? made : toldOf(await told(arm, made, signal), scope);
    } catch (error) {
      if (error instanceof ArmError && error.code === 'refused') await removeRefused(arm, machineName, signal);
      throw error;
    }
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
