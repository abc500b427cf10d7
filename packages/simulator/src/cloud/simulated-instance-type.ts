import { type InstanceType, labelRequirements, labels, type Offering, requirementsOf, resourcesOf } from '@karpenter/core';
import type { DynamicResources } from '@karpenter/core/internal';
import type { OfferingName } from './cloud-faults.ts';

/** A size of machine that the simulated cloud sells, in every zone, on demand and as spot. */
export interface SimulatedInstanceType {
  readonly name: string;
  readonly cpu: number;
  readonly memoryGiB: number;
  readonly arch: 'amd64' | 'arm64';
  readonly zones: readonly string[];
  /** On demand; spot costs three tenths of it. */
  readonly pricePerHour: number;
  /** How many pods it holds. Default 110. */
  readonly pods?: number;
  /** What is kept back of its memory. Default 512. */
  readonly reservedMemoryMiB?: number;
  /** CSI driver → how many of its volumes a machine attaches. Its nodes say so, and the catalog too. Default: no drivers. */
  readonly volumeLimits?: Readonly<Record<string, number>>;
  /** The devices of a machine. Default none. */
  readonly dynamicResources?: DynamicResources;
  /** How long after a node became Ready its drivers publish its devices; Infinity: never. Default 1,000. */
  readonly devicesAfterMs?: number;
}

const SPOT_SHARE = 0.3;
const PODS = 110;
const RESERVED_CPU_MILLIS = 100;
const RESERVED_MEMORY_MIB = 512;

/** Capacity and what is reserved of it, as quantities. */
export const sizeOf = ({ cpu, memoryGiB, pods = PODS, reservedMemoryMiB = RESERVED_MEMORY_MIB }: SimulatedInstanceType) => {
  const others = { 'ephemeral-storage': '100G', pods: String(pods) };
  return {
    capacity: { cpu: String(cpu), memory: `${memoryGiB}Gi`, ...others },
    allocatable: { cpu: `${cpu * 1000 - RESERVED_CPU_MILLIS}m`, memory: `${memoryGiB * 1024 - reservedMemoryMiB}Mi`, ...others },
  };
};

/** Labels that are true of every machine of the type. */
export const simulatedLabelsOf = ({ name, arch }: SimulatedInstanceType): Readonly<Record<string, string>> => ({
  [labels.instanceType]: name,
  [labels.arch]: arch,
  [labels.os]: 'linux',
});

/** Every capacity type is sold in every zone of a size. */
const CAPACITY_TYPES = ['on-demand', 'spot'] as const;

const pricePerHourOf = ({ pricePerHour }: SimulatedInstanceType, capacityType: (typeof CAPACITY_TYPES)[number]): number =>
  capacityType === 'spot' ? pricePerHour * SPOT_SHARE : pricePerHour;

/** The type as core's solver takes it. */
export const catalogEntry = (type: SimulatedInstanceType, isInStock: (offering: OfferingName) => boolean): InstanceType => {
  const offerings = type.zones.flatMap((zone) =>
    CAPACITY_TYPES.map((capacityType): Offering => ({
      ...{ zone, capacityType },
      pricePerHour: pricePerHourOf(type, capacityType),
      isAvailable: isInStock({ instanceType: type.name, zone, capacityType }),
      requirements: labelRequirements({ [labels.zone]: zone, [labels.capacityType]: capacityType }),
    })),
  );
  const own = Object.entries(simulatedLabelsOf(type)).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] }));
  const { capacity } = sizeOf(type);
  return {
    name: type.name,
    requirements: requirementsOf([
      ...own,
      { key: labels.zone, operator: 'In', values: type.zones },
      { key: labels.capacityType, operator: 'In', values: CAPACITY_TYPES },
    ]),
    offerings,
    capacity: resourcesOf(capacity),
    overhead: resourcesOf({ cpu: `${RESERVED_CPU_MILLIS}m`, memory: `${type.reservedMemoryMiB ?? RESERVED_MEMORY_MIB}Mi` }),
    ...(type.volumeLimits === undefined ? {} : { volumeLimits: type.volumeLimits }),
    ...(type.dynamicResources === undefined ? {} : { dynamicResources: type.dynamicResources }),
  };
};
