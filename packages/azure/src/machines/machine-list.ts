import type { ArmApi } from '../arm/arm-api.ts';
import type { AksMachines } from './aks/aks-machines.ts';
import { isTaggedAsOfPool, machineTags } from './machine-tags.ts';
import { type VmFacts, type VmTree, vmFactsOf } from './vm-facts.ts';

export interface MachineListScope {
  readonly nodeResourceGroup: string;
  readonly location: string;
  readonly clusterName: string;
}

const queryOf = (type: string, { nodeResourceGroup }: MachineListScope): string =>
  [
    'Resources',
    `where type == '${type}'`,
    `where resourceGroup == '${nodeResourceGroup.toLowerCase()}'`,
    `where tags has_cs '${machineTags.nodePool}'`,
  ].join(' | ');

/**
 * This cluster's machines: VMs as Resource Graph knows them, seconds to minutes behind ARM, and those of the agent pool
 * as AKS does.
 */
export interface MachineList {
  vms(signal: AbortSignal): Promise<readonly VmFacts[]>;
  /** Names of the network interfaces. */
  nics(signal: AbortSignal): Promise<readonly string[]>;
}

export const machineList = (arm: Pick<ArmApi, 'queryGraph'>, scope: MachineListScope, pool?: Pick<AksMachines, 'list'>): MachineList => {
  const ownRows = async (type: string, signal: AbortSignal) => {
    const rows = await arm.queryGraph(queryOf(type, scope), signal);
    // VMs of agent pools are listed with these, by AKS.
    return rows.filter(({ tags }) => tags[machineTags.cluster] === scope.clusterName && !isTaggedAsOfPool(tags));
  };
  return {
    vms: async (signal) => {
      const rows = await ownRows('microsoft.compute/virtualmachines', signal);
      const ofPool = pool === undefined ? [] : await pool.list(signal);
      return [...ofPool, ...rows.map((row) => vmFactsOf(row, row.properties as VmTree, scope.location))];
    },
    nics: async (signal) => (await ownRows('microsoft.network/networkinterfaces', signal)).map((row) => row.name),
  };
};
