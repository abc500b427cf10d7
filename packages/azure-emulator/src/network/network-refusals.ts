import { type ArmRefusal, refusal } from '../faults/arm-error.ts';

/** A body that names something that is not there; the message names the missing id and who named it. */
export const invalidReference = (missingId: string, byId: string): ArmRefusal =>
  refusal(
    400,
    'InvalidResourceReference',
    `Resource ${missingId} referenced by resource ${byId} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
  );

export const subnetIsFull = (subnet: string, prefix: string, wanted: number): ArmRefusal =>
  refusal(
    400,
    'SubnetIsFull',
    `Subnet ${subnet} with address prefix ${prefix} does not have enough capacity for ${String(wanted)} IP addresses.`,
  );

export const nicInUse = (nicId: string, vmId: string): ArmRefusal =>
  refusal(
    400,
    'NicInUse',
    `Network Interface ${nicId} is used by existing resource ${vmId}. In order to delete the network interface, it must be dissociated from the resource. To learn more, see aka.ms/deletenic.`,
  );

export const nicReserved = (nicId: string, vmId: string): ArmRefusal =>
  refusal(
    400,
    'NicReservedForAnotherVm',
    `Nic(s) in request is reserved for another Virtual Machine for 180 seconds. Please provide another nic(s) or retry after 180 seconds. Reserved VM: ${vmId}, nic: ${nicId}.`,
  );

/** An interface that is still being made, or was made badly. */
export const notProvisioned = ({ id, state }: { readonly id: string; readonly state: string }, vmId: string): ArmRefusal =>
  refusal(
    409,
    'ReferencedResourceNotProvisioned',
    `Cannot proceed with operation because resource ${id} used by resource ${vmId} is not in Succeeded state. Resource is in ${state} state and the last operation that updated/is updating the resource is PutNicOperation.`,
  );

/** A resource in another region than the network it joins. */
export const locationMismatch = (location: string, expected: string): ArmRefusal =>
  refusal(
    409,
    'InvalidResourceLocation',
    `The resource cannot be created in location '${location}': its virtual network and its machine are in '${expected}'. Please use a location of the resource group's network.`,
  );
