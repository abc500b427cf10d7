import { zoneLabelOf, REGIONAL_ZONE } from '../../zones/index.ts';
import type { AksMachine } from '../../arm/aks-machines/aks-machine.ts';
import { machineNameOf, type MachineGroup, vmProviderIdOf } from '../machine-names.ts';
import { machineTags } from '../machine-tags.ts';
import type { VmFacts } from '../vm-facts.ts';

export interface AksMachineScope extends MachineGroup {
  readonly location: string;
}

/** The facts that only the response for the machine itself contains. */
export const reportedFactsOf = (
  { id, properties }: AksMachine,
  scope: AksMachineScope,
): Pick<VmFacts, 'aksMachineId' | 'imageId' | 'providerId' | 'createdAt'> => {
  const vmName = properties.resourceId?.split('/').at(-1);
  return {
    aksMachineId: id,
    imageId: properties.nodeImageVersion,
    createdAt: properties.status?.creationTimestamp,
    ...(vmName !== undefined && { providerId: vmProviderIdOf(scope, vmName) }),
  };
};

/** A machine whose VM is gone is on its way out, whatever AKS calls it: nobody can use it any more. */
const stateOf = ({ provisioningState = '', status }: AksMachine['properties']): string =>
  status?.vmState === 'Deleted' ? 'Deleting' : provisioningState;

/** The facts of a machine of an agent pool. It is known by the name of its claim, as all machines are. */
export const factsOfAksMachine = (machine: AksMachine, scope: AksMachineScope): VmFacts => {
  const { properties, zones = [] } = machine;
  const { tags = {} } = properties;
  return {
    name: machineNameOf(tags[machineTags.claim] ?? machine.name),
    size: properties.hardware.vmSize,
    zone: zones[0] === undefined ? REGIONAL_ZONE : zoneLabelOf(scope.location, zones[0]),
    capacityType: properties.priority === 'Spot' ? 'spot' : 'on-demand',
    hasUltraSsd: properties.hardware.ultraSsdEnabled ?? false,
    tags,
    provisioningState: stateOf(properties),
    ...reportedFactsOf(machine, scope),
  };
};
