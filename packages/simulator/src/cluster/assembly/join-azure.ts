import type { ArmEmulator, NodeBootstrap, VmEvent, VmRecord } from '@karpenter/azure-emulator';
import { awaitsCommand, BootstrapError, decodeBootstrap, decodeCommand } from '@karpenter/azure-emulator';
import type { KubeletHost } from '../kubelet/kubelet-host.ts';
import type { CloudMachine, CloudView } from '../nodes/cloud-view.ts';
import type { ScheduledEvent } from '../nodes/node-problem-detector.ts';
import { kubeletOfVm } from './kubelet-of-vm.ts';

/** A VM that booted, or ran its script, and never joined, and why. */
export interface FailedBootstrap {
  readonly vmName: string;
  readonly error: BootstrapError;
}

/** An Azure whose VMs are nodes of a cluster. Disposing it lets no more of them join. */
export interface JoinedAzure extends Disposable {
  readonly cloud: CloudView;
  readonly failedBootstraps: readonly FailedBootstrap[];
  /** Node → what its VM started with. */
  readonly bootstraps: ReadonlyMap<string, NodeBootstrap>;
}

export interface JoinAzureOptions {
  readonly arm: ArmEmulator;
  readonly kubelets: KubeletHost;
  /** Passes a scheduled event of Azure to the node of the machine. */
  readonly onScheduledEvent: (event: ScheduledEvent) => void;
}

/** A label value of AKS: `eastus-1`; a machine without zone shows its fault domain. */
const zoneOf = ({ location, zone }: VmRecord): string => (zone === undefined ? '0' : `${location}-${zone}`);

const machineOf = (vm: VmRecord): CloudMachine => ({
  providerId: vm.providerId,
  instanceType: vm.size,
  region: vm.location,
  zone: zoneOf(vm),
});

const cloudOf = (arm: ArmEmulator): CloudView => ({
  machineOf: (nodeName) => {
    const vm = arm.vms().find(({ osProfile }) => osProfile.computerName.toLowerCase() === nodeName);
    return vm === undefined ? undefined : machineOf(vm);
  },
  exists: (providerId) => arm.vms().some((vm) => vm.providerId.toLowerCase() === providerId.toLowerCase()),
});

/**
 * Boots a kubelet in every VM that comes up or runs its script, passes evictions to its node, and stops it when the VM
 * goes.
 */
export const joinAzure = ({ arm, kubelets, onScheduledEvent }: JoinAzureOptions): JoinedAzure => {
  const running = new Map<string, Disposable>();
  const bootstraps = new Map<string, NodeBootstrap>();
  const failedBootstraps: FailedBootstrap[] = [];

  const boot = (vm: VmRecord, bootstrapOf: () => NodeBootstrap): void => {
    try {
      const bootstrap = bootstrapOf();
      const machine = kubeletOfVm(vm, bootstrap);
      bootstraps.set(machine.name, bootstrap);
      running.set(vm.id, kubelets.start(machine));
    } catch (error) {
      if (!(error instanceof BootstrapError)) throw error;
      failedBootstraps.push({ vmName: vm.name, error });
    }
  };
  const watch = arm.onVm(({ type, vm, script, notBeforeMs }: VmEvent) => {
    const customData = vm.osProfile.customData ?? '';
    if (type === 'running' && !awaitsCommand(customData)) boot(vm, () => decodeBootstrap(customData));
    if (type === 'configured' && !running.has(vm.id)) boot(vm, () => decodeCommand(script ?? ''));
    if (notBeforeMs !== undefined)
      onScheduledEvent({ nodeName: vm.osProfile.computerName.toLowerCase(), eventType: 'Preempt', notBeforeMs });
    if (type !== 'deleted') return;
    running.get(vm.id)?.[Symbol.dispose]();
    running.delete(vm.id);
    bootstraps.delete(vm.osProfile.computerName.toLowerCase());
  });
  return { cloud: cloudOf(arm), failedBootstraps, bootstraps, [Symbol.dispose]: () => watch[Symbol.dispose]() };
};
