import type { VirtualMachine } from '@azure/arm-compute';
import type { NetworkInterface } from '@azure/arm-network';
import type { DeleteOutcome } from '@karpenter/core';
import type { ArmApi, ArmOperation } from '../arm/arm-api.ts';
import { ArmError } from '../arm/arm-error.ts';
import { type VmFacts, vmFactsOf } from './vm-facts.ts';

/** One machine to be made: its interface, and then itself. */
export interface LaunchOrder {
  readonly name: string;
  readonly nic: NetworkInterface;
  readonly vm: VirtualMachine;
}

/** Makes and ends machines. Every call may be repeated; a machine is known by its name alone. */
export interface MachineBackend {
  find(name: string, signal: AbortSignal): Promise<VmFacts | undefined>;
  /**
   * Resolves when ARM has accepted the machine. Refused: nothing stays behind. Any other failure leaves the interface, which the next
   * try takes up. Throws `ArmError`.
   */
  launch(order: LaunchOrder, signal: AbortSignal): Promise<ArmOperation>;
  /** `terminating` until both the machine and its interface are gone. */
  remove(name: string, signal: AbortSignal): Promise<DeleteOutcome>;
}

const factsOf = (vm: VirtualMachine, location: string): VmFacts =>
  vmFactsOf({ name: vm.name ?? '', zones: vm.zones ?? [], tags: vm.tags ?? {} }, vm, location);

const isRefusal = (error: unknown): boolean => error instanceof ArmError && error.code === 'refused';

/** Deletes what may be deleted; a refusal leaves it to the collection of orphans. */
const deleteIfAllowed = async (run: () => Promise<void>): Promise<'deleted' | 'refused'> => {
  try {
    await run();
    return 'deleted';
  } catch (error) {
    if (isRefusal(error)) return 'refused';
    throw error;
  }
};

/** Machines as VMs with a network interface of the same name. */
export const vmBackend = (arm: ArmApi, location: string): MachineBackend => ({
  find: async (name, signal) => {
    const vm = await arm.getVm(name, signal);
    return vm === undefined ? undefined : factsOf(vm, location);
  },
  launch: async ({ name, nic, vm }, signal) => {
    await arm.putNic(name, nic, signal);
    try {
      return await arm.putVm(name, vm, signal);
    } catch (error) {
      if (isRefusal(error)) await deleteIfAllowed(() => arm.deleteNic(name, signal));
      throw error;
    }
  },
  remove: async (name, signal) => {
    const vm = await arm.getVm(name, signal);
    if (vm !== undefined) {
      if (vm.provisioningState !== 'Deleting') await arm.deleteVm(name, signal);
      return 'terminating';
    }
    if ((await arm.getNic(name, signal)) === undefined) return 'gone';
    const outcome = await deleteIfAllowed(() => arm.deleteNic(name, signal));
    // Azure reserves the interface of a failed machine for minutes; a node's end does not wait for that.
    return outcome === 'refused' ? 'gone' : 'terminating';
  },
});
