import { nameOf } from '../arm-id.ts';
import type { VmEntry } from '../compute/vms/vm-entry.ts';
import type { ArmErrorBody } from '../faults/arm-error.ts';
import type { NicEntry } from '../network/nic-entry.ts';
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
  /** AKS has written it by itself. */
  hasMoved: boolean;
  /** Why its VM could not be created. */
  failure: ArmErrorBody | undefined;
  isLeaving: boolean;
  /** Its VM was taken away, by somebody or by Azure: AKS keeps the machine and says so. */
  isLost: boolean;
  /** `Synced`, or what AKS would have to do to it. */
  driftAction: string;
}

const stateOf = (machine: MachineEntry, vm: VmEntry | undefined): string => {
  if (machine.isLeaving) return 'Deleting';
  if (machine.isLost) return 'Succeeded';
  return machine.failure === undefined ? (vm?.state ?? 'Creating') : 'Failed';
};

/** The parts that AKS has made of a machine, as far as they are there. */
export interface MachineParts {
  readonly vm: VmEntry | undefined;
  readonly nic: NicEntry | undefined;
  /** Whether AKS says which VM it is. */
  readonly isNamed: boolean;
}

/** What AKS adds to the request for a machine. */
const seenBy = ({ body: { properties }, vmId }: MachineEntry, { nic }: MachineParts): object => ({
  kubernetes: {
    ...properties.kubernetes,
    currentOrchestratorVersion: properties.kubernetes.orchestratorVersion,
    nodeName: nameOf(vmId),
  },
  network: { ...properties.network, ipAddresses: (nic?.addresses ?? []).slice(0, 1).map((ip) => ({ family: 'IPv4', ip })) },
  ...(properties.localDNSProfile && {
    localDNSProfile: {
      ...properties.localDNSProfile,
      state: properties.localDNSProfile.mode === 'Required' ? 'Enabled' : 'Disabled',
    },
  }),
});

const statusOf = (machine: MachineEntry, { vm }: MachineParts): object => {
  const failure = machine.failure ?? vm?.failure;
  return {
    creationTimestamp: new Date(machine.createdMs).toISOString(),
    driftAction: machine.driftAction,
    ...(machine.driftAction !== 'Synced' && { driftReason: 'The managed cluster has changed.' }),
    ...((machine.isLost || vm?.running === true) && { vmState: machine.isLost ? 'Deleted' : 'Running' }),
    ...(failure && {
      provisioningError: { code: 'VMProvisioningFailed', message: 'The virtual machine could not be made.', details: [failure] },
    }),
  };
};

/** The machine as AKS shows it. Only spot machines have a priority. */
export const machineResource = (machine: MachineEntry, parts: MachineParts): object => {
  const { priority, ...settings } = machine.body.properties;
  return {
    id: machine.id,
    name: machine.name,
    type: 'Microsoft.ContainerService/managedClusters/agentPools/machines',
    ...(machine.body.zones && { zones: machine.body.zones }),
    properties: {
      ...settings,
      ...seenBy(machine, parts),
      ...(priority === 'Spot' && { priority }),
      provisioningState: stateOf(machine, parts.vm),
      ...(parts.isNamed && { resourceId: machine.vmId }),
      eTag: String(machine.version),
      status: statusOf(machine, parts),
    },
  };
};
