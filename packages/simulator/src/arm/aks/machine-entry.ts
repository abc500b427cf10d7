import type { VmEntry } from '../compute/vms/vm-entry.ts';
import type { ArmErrorBody } from '../faults/arm-error.ts';
import type { MachineBody } from './machine-body.ts';

/** A machine of an agent pool inside the emulator. */
export interface MachineEntry {
  readonly id: string;
  readonly name: string;
  readonly vmId: string;
  readonly nicId: string;
  readonly createdMs: number;
  body: MachineBody;
  /** Counts its writes. */
  version: number;
  /** Its VM could not be asked for. */
  failure: ArmErrorBody | undefined;
  isLeaving: boolean;
  /** `Synced`, or what AKS would have to do to it. */
  driftAction: string;
}

const stateOf = (machine: MachineEntry, vm: VmEntry | undefined): string => {
  if (machine.isLeaving) return 'Deleting';
  return machine.failure === undefined ? (vm?.state ?? 'Creating') : 'Failed';
};

/** The machine as AKS shows it. Its priority is told of spot machines only. */
export const machineResource = (machine: MachineEntry, vm: VmEntry | undefined): object => {
  const { priority, ...settings } = machine.body.properties;
  const failure = machine.failure ?? vm?.failure;
  return {
    id: machine.id,
    name: machine.name,
    type: 'Microsoft.ContainerService/managedClusters/agentPools/machines',
    ...(machine.body.zones && { zones: machine.body.zones }),
    properties: {
      ...settings,
      ...(priority === 'Spot' && { priority }),
      provisioningState: stateOf(machine, vm),
      resourceId: machine.vmId,
      eTag: String(machine.version),
      status: {
        creationTimestamp: new Date(machine.createdMs).toISOString(),
        driftAction: machine.driftAction,
        ...(failure && {
          provisioningError: { code: 'VMProvisioningFailed', message: 'The virtual machine could not be made.', details: [failure] },
        }),
      },
    },
  };
};
