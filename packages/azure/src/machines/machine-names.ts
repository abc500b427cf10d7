import type { NodeClaim } from '@karpenter/core';
import { azureAnnotations } from '../apis/index.ts';

const PREFIX = 'aks-';

/** One name for the VM, its interface, its OS disk and its computer: what makes creating safe to repeat. */
export const machineNameOf = (claimName: string): string => `${PREFIX}${claimName}`;

/** The claim that a machine was made for; undefined for a name that is not ours. */
export const claimNameOfMachine = (machineName: string): string | undefined =>
  machineName.startsWith(PREFIX) ? machineName.slice(PREFIX.length) : undefined;

/**
 * The machine of a claim, as every call here names it. A claim that names its machine in an agent pool is believed: its
 * name there may be another one, by the rules of whoever has made it.
 */
export const machineNameFor = ({ metadata: { name, annotations } }: Pick<NodeClaim, 'metadata'>): string =>
  machineNameOf(annotations?.[azureAnnotations.aksMachineId]?.split('/').at(-1) ?? name);

export interface MachineGroup {
  readonly subscriptionId: string;
  readonly nodeResourceGroup: string;
}

/** As the cloud controller writes it: the resource group in lower case. */
export const vmProviderIdOf = ({ subscriptionId, nodeResourceGroup }: MachineGroup, machineName: string): string =>
  `azure:///subscriptions/${subscriptionId}/resourceGroups/${nodeResourceGroup.toLowerCase()}/providers/Microsoft.Compute/virtualMachines/${machineName}`;

/** The VM's name in a provider id; undefined when it names no VM. */
export const machineNameIn = (providerId: string): string | undefined =>
  /^azure:\/\/\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Compute\/virtualMachines\/([^/]+)$/i.exec(
    providerId,
  )?.[1];

/** The id of the interface of a machine. */
export const nicIdOf = ({ subscriptionId, nodeResourceGroup }: MachineGroup, machineName: string): string =>
  `/subscriptions/${subscriptionId}/resourceGroups/${nodeResourceGroup}/providers/Microsoft.Network/networkInterfaces/${machineName}`;
