import type { DeleteOutcome } from '@karpenter/core';
import type { AksMachineApi } from '../../arm/aks-machines/aks-machine-api.ts';
import type { AksMachine, AksMachineBody } from '../../arm/aks-machines/aks-machine.ts';
import { type AksMachineScope, factsOfAksMachine, reportedFactsOf } from './aks-machine-facts.ts';
import { aksMachineNameOf } from './aks-machine-name.ts';
import type { MachineBackend, AcceptedMachine } from '../machine-backend.ts';

/** One machine of an agent pool to be made. */
export interface AksMachineOrder {
  readonly name: string;
  readonly body: AksMachineBody;
}

export interface AksMachineBackendSource {
  readonly arm: AksMachineApi;
  readonly scope: AksMachineScope;
  /** Until then ends of machines are followed. */
  readonly lifetime: AbortSignal;
}

type Remove = MachineBackend['remove'];

/** Ends machines. Of those on their way out nobody asks but the shared poller: AKS answers few calls. */
const removing = ({ arm, lifetime }: AksMachineBackendSource): Remove => {
  const ending = new Set<string>();
  const follow = async (name: string): Promise<void> => {
    if (lifetime.aborted) return;
    ending.add(name);
    await arm.machineGone(name, lifetime).catch(() => undefined);
    ending.delete(name);
  };
  return async (name, signal): Promise<DeleteOutcome> => {
    const machineName = aksMachineNameOf(name);
    if (ending.has(machineName)) return 'terminating';
    const machine = await arm.getMachine(machineName, signal);
    if (machine === undefined) return 'gone';
    if (machine.properties.provisioningState !== 'Deleting') await arm.deleteMachine(machineName, signal);
    void follow(machineName);
    return 'terminating';
  };
};

const isComing = ({ properties: { resourceId, provisioningState } }: AksMachine): boolean =>
  resourceId === undefined && (provisioningState === 'Creating' || provisioningState === 'Updating');

/** A machine that has no VM yet would be known by an id that is made up: it is waited for. */
const whole = ({ arm }: AksMachineBackendSource, machine: AksMachine, signal: AbortSignal): Promise<AksMachine> =>
  isComing(machine) ? arm.namedMachine(machine.name, machine, signal) : Promise.resolve(machine);

/** Machines of an agent pool, whose VMs, interfaces and disks AKS makes and ends. */
export const aksMachineBackend = (source: AksMachineBackendSource): MachineBackend<AksMachineOrder> => ({
  find: async (name, signal) => {
    const machine = await source.arm.getMachine(aksMachineNameOf(name), signal);
    return machine && factsOfAksMachine(await whole(source, machine, signal), source.scope);
  },
  launch: async ({ name, body }, signal): Promise<AcceptedMachine | 'exists'> => {
    const made = await source.arm.putMachine(aksMachineNameOf(name), body, signal);
    return made === 'exists' ? made : reportedFactsOf(made, source.scope);
  },
  made: (name, signal) => source.arm.machineMade(aksMachineNameOf(name), signal),
  remove: removing(source),
});
