import type { VirtualMachine } from '@azure/arm-compute';
import type { NetworkInterface } from '@azure/arm-network';
import type { DeleteOutcome } from '@karpenter/core';
import type { ArmApi } from '../arm/arm-api.ts';
import { ArmError } from '../arm/arm-error.ts';
import { type VmFacts, vmFactsOfVm } from './vm-facts.ts';

/** Finds and deletes existing machines. */
export type MachineStock = Omit<MachineBackend, 'launch'>;

/** Machines of two kinds: those that are made now, and behind them those that another way of making them has left. */
export const joinedStock = (now: MachineStock, before: MachineStock): MachineStock => ({
  find: async (name, signal) => (await now.find(name, signal)) ?? before.find(name, signal),
  made: async (name, signal) => (await now.made(name, signal)) || before.made(name, signal),
  remove: async (name, signal) => {
    const outcome = await now.remove(name, signal);
    return outcome === 'gone' ? before.remove(name, signal) : outcome;
  },
});

/** One machine to be made: its interface, and then itself. */
export interface LaunchOrder {
  readonly name: string;
  readonly nic: NetworkInterface;
  readonly vm: VirtualMachine;
}

/** The facts of a machine in the response that accepts it. */
export type AcceptedMachine = Partial<Pick<VmFacts, 'imageId' | 'providerId' | 'aksMachineId' | 'createdAt'>>;

/**
 * Makes and ends machines. Every call may be repeated; a machine is known by its name alone, which is that of its claim
 * after `aks-`.
 */
export interface MachineBackend<Order = LaunchOrder> {
  find(name: string, signal: AbortSignal): Promise<VmFacts | undefined>;
  /**
   * Resolves when ARM has accepted the machine; one that is there already does not change. A failure leaves the
   * interface: the next try takes it up, `remove` deletes it. Throws `ArmError`.
   */
  launch(order: Order, signal: AbortSignal): Promise<AcceptedMachine | 'exists'>;
  /** Resolves when the machine is no longer being made: whether it is there. Throws the `ArmError` that it failed with. */
  made(name: string, signal: AbortSignal): Promise<boolean>;
  /** `terminating` until both the machine and its interface are gone. */
  remove(name: string, signal: AbortSignal): Promise<DeleteOutcome>;
}

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

type Arm = Pick<ArmApi, 'getVm' | 'putVm' | 'vmMade' | 'vmGone' | 'deleteVm' | 'getNic' | 'putNic' | 'deleteNic'>;

export interface VmBackendSource {
  readonly arm: Arm;
  readonly location: string;
  /** Until then ends of machines are followed. */
  readonly lifetime: AbortSignal;
}

/** Machines as VMs with a network interface of the same name. */
class VmBackend implements MachineBackend {
  readonly #arm: Arm;
  readonly #location: string;
  readonly #lifetime: AbortSignal;
  /**
   * Machine → the interface that waits for it, as it was written: a launch that failed halfway need not write it again.
   */
  readonly #nics = new Map<string, string>();
  /** Machines that are on their way out: nobody asks after them but the shared poller. */
  readonly #ending = new Set<string>();

  constructor({ arm, location, lifetime }: VmBackendSource) {
    this.#arm = arm;
    this.#location = location;
    this.#lifetime = lifetime;
  }

  async find(name: string, signal: AbortSignal): Promise<VmFacts | undefined> {
    const vm = await this.#arm.getVm(name, signal);
    return vm === undefined ? undefined : vmFactsOfVm(vm, this.#location);
  }

  async launch({ name, nic, vm }: LaunchOrder, signal: AbortSignal): Promise<AcceptedMachine | 'exists'> {
    const wanted = JSON.stringify(nic);
    if (this.#nics.get(name) !== wanted) await this.#arm.putNic(name, nic, signal);
    this.#nics.set(name, wanted);
    const outcome = await this.#arm.putVm(name, vm, signal);
    this.#nics.delete(name);
    return outcome === 'exists' ? outcome : {};
  }

  made(name: string, signal: AbortSignal): Promise<boolean> {
    return this.#arm.vmMade(name, signal);
  }

  async remove(name: string, signal: AbortSignal): Promise<DeleteOutcome> {
    this.#nics.delete(name);
    if (this.#ending.has(name)) return 'terminating';
    const vm = await this.#arm.getVm(name, signal);
    if (vm !== undefined) {
      if (vm.provisioningState !== 'Deleting') await this.#arm.deleteVm(name, signal);
      void this.#follow(name);
      return 'terminating';
    }
    if ((await this.#arm.getNic(name, signal)) === undefined) return 'gone';
    const outcome = await deleteIfAllowed(() => this.#arm.deleteNic(name, signal));
    // Azure reserves the interface of a failed machine for minutes; a node's end does not wait for that.
    return outcome === 'refused' ? 'gone' : 'terminating';
  }

  /** Once the lifetime is over nobody asks any longer. */
  async #follow(name: string): Promise<void> {
    if (this.#lifetime.aborted) return;
    this.#ending.add(name);
    await this.#arm.vmGone(name, this.#lifetime).catch(() => undefined);
    this.#ending.delete(name);
  }
}

export const vmBackend = (source: VmBackendSource): MachineBackend => new VmBackend(source);
