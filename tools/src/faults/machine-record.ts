import type { ArmEmulator, VmRecord } from '@karpenter/azure-emulator';
import { ALONE, SHARED } from './fault-workloads.ts';

/** Machines that are there at once. */
export interface MachineCounts {
  readonly all: number;
  /** For pods that stand alone. */
  readonly alone: number;
  /** Cores of the machines whose pods share them. */
  readonly sharedCores: number;
}

type JudgedVm = Pick<VmRecord, 'id' | 'tags' | 'provisioningState'> & { readonly hardware: Pick<VmRecord['hardware'], 'vCpus'> };

const isOfPool = ({ tags }: JudgedVm, pool: string): boolean => Object.values(tags).includes(pool);

const countsOf = (vms: readonly JudgedVm[]): MachineCounts => {
  const there = vms.filter(({ provisioningState }) => provisioningState !== 'Deleting');
  return {
    all: there.length,
    alone: there.filter((vm) => isOfPool(vm, ALONE.pool)).length,
    sharedCores: there.filter((vm) => isOfPool(vm, SHARED.pool)).reduce((sum, { hardware }) => sum + hardware.vCpus, 0),
  };
};

/** Counts every machine that an Azure makes, whether or not it could say so, until it is disposed. */
export class MachineRecord implements Disposable {
  readonly #arm: { vms(): readonly JudgedVm[] };
  readonly #listening: Disposable;
  /** ARM id → how often it was made. */
  readonly #made = new Map<string, number>();
  #most: MachineCounts = { all: 0, alone: 0, sharedCores: 0 };

  constructor(arm: Pick<ArmEmulator, 'onVm'> & { vms(): readonly JudgedVm[] }) {
    this.#arm = arm;
    this.#listening = arm.onVm(({ type, vm }) => {
      if (type !== 'created') return;
      this.#made.set(vm.id, (this.#made.get(vm.id) ?? 0) + 1);
      const [now, most] = [countsOf(arm.vms()), this.#most];
      this.#most = {
        all: Math.max(most.all, now.all),
        alone: Math.max(most.alone, now.alone),
        sharedCores: Math.max(most.sharedCores, now.sharedCores),
      };
    });
  }

  /** Counts from now on. Returns what is there. */
  begin(): MachineCounts {
    this.#most = countsOf(this.#arm.vms());
    return this.#most;
  }

  /** The most there were at once since the last beginning. */
  get most(): MachineCounts {
    return this.#most;
  }

  /** Machines that were made more than once under one name. */
  doubled(): readonly string[] {
    return [...this.#made].filter(([, count]) => count > 1).map(([id]) => id);
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
  }
}
