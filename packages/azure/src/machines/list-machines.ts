import type { ArmApi } from '../arm/arm-api.ts';
import { machineTags } from './machine-tags.ts';
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

/** What Resource Graph knows of this cluster's machines. It lags behind ARM by seconds to minutes. */
export interface MachineList {
  vms(signal: AbortSignal): Promise<readonly VmFacts[]>;
  /** Names of the network interfaces. */
  nics(signal: AbortSignal): Promise<readonly string[]>;
}

export const machineList = (arm: Pick<ArmApi, 'queryGraph'>, scope: MachineListScope): MachineList => {
  const ownRows = async (type: string, signal: AbortSignal) => {
    const rows = await arm.queryGraph(queryOf(type, scope), signal);
    return rows.filter((row) => row.tags[machineTags.cluster] === scope.clusterName);
  };
  return {
    vms: async (signal) => {
      const rows = await ownRows('microsoft.compute/virtualmachines', signal);
      return rows.map((row) => vmFactsOf(row, row.properties as VmTree, scope.location));
    },
    nics: async (signal) => (await ownRows('microsoft.network/networkinterfaces', signal)).map((row) => row.name),
  };
};
