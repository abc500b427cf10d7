import type { VirtualMachine } from '@azure/arm-compute';
import { capacityTypes, type Offering } from '@karpenter/core';
import { textsIn, textsOf } from '../arm/calls/shape.ts';
import type { ReservationName } from '../reservations/index.ts';
import { REGIONAL_ZONE, zoneLabelOf } from '../zones/index.ts';

/** The facts of a VM, read from ARM or Resource Graph. */
export interface VmFacts {
  readonly name: string;
  readonly size: string;
  /** As the zone label says it. */
  readonly zone: string;
  readonly capacityType: Offering['capacityType'];
  readonly imageId: string | undefined;
  readonly hasUltraSsd: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly provisioningState: string;
  readonly createdAt: string | undefined;
  /** Absent: it follows from the name. */
  readonly providerId?: string | undefined;
  /** ARM id of the agent pool machine behind the VM; absent: the VM belongs to no agent pool. */
  readonly aksMachineId?: string | undefined;
  /** The requested image, as AKS names it, if AKS used another; absent: AKS used the requested one. */
  readonly refusedImage?: string | undefined;
  /** ARM id of the subnet that it joins; absent: its class has only one, or another process has launched it. */
  readonly subnetId?: string | undefined;
  /** ARM id of the group that it was made out of; absent: it was bought. */
  readonly capacityReservationGroupId?: string | undefined;
  /** With capacity type `reserved`. */
  readonly reservation?: ReservationName | undefined;
}

/** The common part of the SDK's VirtualMachine and of the tree in Resource Graph. */
export interface VmTree {
  readonly hardwareProfile?: { readonly vmSize?: string };
  readonly storageProfile?: { readonly imageReference?: { readonly id?: string; readonly communityGalleryImageId?: string } };
  readonly additionalCapabilities?: { readonly ultraSSDEnabled?: boolean };
  readonly capacityReservation?: { readonly capacityReservationGroup?: { readonly id?: string } };
  readonly priority?: string;
  readonly provisioningState?: string;
  readonly timeCreated?: Date | string;
}

export interface VmHead {
  readonly name: string;
  readonly zones: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
}

const timeOf = (time: Date | string | undefined): string | undefined => {
  if (!(time instanceof Date)) return time;
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
};

const imageOf = (tree: VmTree): string | undefined => {
  const image = tree.storageProfile?.imageReference;
  return image?.communityGalleryImageId ?? image?.id;
};

const zoneOf = ([zone]: readonly string[], location: string): string => (zone === undefined ? REGIONAL_ZONE : zoneLabelOf(location, zone));

export const vmFactsOf = (head: VmHead, tree: VmTree, location: string): VmFacts => ({
  name: head.name,
  tags: head.tags,
  zone: zoneOf(head.zones, location),
  size: tree.hardwareProfile?.vmSize ?? '',
  capacityType: tree.priority === 'Spot' ? capacityTypes.spot : capacityTypes.onDemand,
  capacityReservationGroupId: tree.capacityReservation?.capacityReservationGroup?.id,
  imageId: imageOf(tree),
  hasUltraSsd: tree.additionalCapabilities?.ultraSSDEnabled ?? false,
  provisioningState: tree.provisioningState ?? '',
  createdAt: timeOf(tree.timeCreated),
});

/** The facts of a machine as the SDK gives it. */
export const vmFactsOfVm = (vm: VirtualMachine, location: string): VmFacts =>
  vmFactsOf({ name: vm.name ?? '', zones: textsOf(vm.zones), tags: textsIn(vm.tags) }, vm, location);

/** The machine, marked as reserved; unchanged if `reservation` is undefined. */
export const asReserved = (vm: VmFacts, reservation: ReservationName | undefined): VmFacts =>
  reservation === undefined ? vm : { ...vm, capacityType: capacityTypes.reserved, reservation };
