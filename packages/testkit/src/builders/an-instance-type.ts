import { defaultLabelCatalog } from '@karpenter/core';
import type { InstanceType, LabelCatalog, Offering, Requirement, Requirements, Resources } from '@karpenter/core';

/** What a test says about an instance type; everything else is filled in. */
export interface InstanceTypeOptions {
  readonly name?: string;
  /** Default 4. */
  readonly cpus?: number;
  /** Default 4 GiB for each cpu. */
  readonly memoryBytes?: number;
  /** Default 110. */
  readonly pods?: number;
  /** Other resources by name, such as `nvidia.com/gpu`. */
  readonly others?: Resources;
  readonly overhead?: Resources;
  /** Default `amd64`. */
  readonly arch?: string;
  /** Single-valued labels beside the well-known ones. */
  readonly labels?: Readonly<Record<string, string>>;
  /** On-demand dollars an hour; default 0.05 for each cpu. */
  readonly pricePerHour?: number;
  /** Default: on-demand at `pricePerHour` and spot at 30 % of it, in each of `zones`. */
  readonly offerings?: readonly OfferingOptions[];
  /** Default `test-zone-1` to `-3`. */
  readonly zones?: readonly string[];
  /** CSI driver → the most volumes. */
  readonly volumeLimits?: InstanceType['volumeLimits'];
}

export interface OfferingOptions {
  readonly zone: string;
  readonly capacityType: string;
  readonly pricePerHour: number;
  /** Default true. */
  readonly isAvailable?: boolean;
  /** Goes with capacity type `reserved`; ask for it by `catalogWithReservations`. */
  readonly reservation?: Offering['reservation'];
  readonly capacityOverride?: Resources;
  readonly overheadOverride?: Resources;
}

const zoneKey = 'topology.kubernetes.io/zone';
const capacityTypeKey = 'karpenter.sh/capacity-type';
const reservationKey = 'karpenter.test/reservation-id';

/** The labels of a provider that has reservations. */
export const catalogWithReservations: LabelCatalog = {
  ...defaultLabelCatalog,
  wellKnown: new Set([...defaultLabelCatalog.wellKnown, reservationKey]),
  reservationId: reservationKey,
};

/** A requirement that the label has one of these values. */
export const oneOf = (key: string, ...values: readonly string[]): Requirement => ({
  key,
  values: { kind: 'in', values: new Set(values) },
  mayBeAbsent: false,
});

const absent = (key: string): Requirement => ({ key, values: { kind: 'in', values: new Set() }, mayBeAbsent: true });

const keyed = (requirements: readonly Requirement[]): Requirements =>
  new Map(requirements.map((requirement) => [requirement.key, requirement]));

export const anOffering = ({
  zone,
  capacityType,
  pricePerHour,
  isAvailable = true,
  reservation,
  ...overrides
}: OfferingOptions): Offering => ({
  ...overrides,
  zone,
  capacityType,
  pricePerHour,
  isAvailable,
  requirements: keyed([
    oneOf(zoneKey, zone),
    oneOf(capacityTypeKey, capacityType),
    reservation === undefined ? absent(reservationKey) : oneOf(reservationKey, reservation.id),
  ]),
  ...(reservation === undefined ? {} : { reservation }),
});

const offeringsOf = (options: InstanceTypeOptions, cpus: number): readonly OfferingOptions[] => {
  const onDemand = options.pricePerHour ?? cpus * 0.05;
  const zones = options.zones ?? ['test-zone-1', 'test-zone-2', 'test-zone-3'];
  return zones.flatMap((zone) => [
    { zone, capacityType: 'on-demand', pricePerHour: onDemand },
    { zone, capacityType: 'spot', pricePerHour: onDemand * 0.3 },
  ]);
};

const limitsOf = ({ volumeLimits }: InstanceTypeOptions): Pick<InstanceType, 'volumeLimits'> =>
  volumeLimits === undefined ? {} : { volumeLimits };

/** An instance type that states every well-known label, with a small overhead. */
export const anInstanceType = (options: InstanceTypeOptions = {}): InstanceType => {
  const cpus = options.cpus ?? 4;
  const name = options.name ?? `type-${cpus}`;
  const offerings = (options.offerings ?? offeringsOf(options, cpus)).map(anOffering);
  const zones = [...new Set(offerings.map((offering) => offering.zone))];
  const capacityTypes = [...new Set(offerings.map((offering) => offering.capacityType))];
  return {
    name,
    offerings,
    capacity: { cpu: cpus * 1000, memory: options.memoryBytes ?? cpus * 4 * 1024 ** 3, pods: options.pods ?? 110, ...options.others },
    ...limitsOf(options),
    overhead: options.overhead ?? { cpu: 100, memory: 100 * 1024 ** 2 },
    requirements: keyed([
      oneOf('node.kubernetes.io/instance-type', name),
      oneOf('kubernetes.io/arch', options.arch ?? 'amd64'),
      oneOf('kubernetes.io/os', 'linux'),
      oneOf('topology.kubernetes.io/region', 'test-region'),
      oneOf(zoneKey, ...zones),
      oneOf(capacityTypeKey, ...capacityTypes),
      absent('node.kubernetes.io/windows-build'),
      ...Object.entries(options.labels ?? {}).map(([key, value]) => oneOf(key, value)),
    ]),
  };
};

/** `count` types of 1, 2, … cpus with twice the GiB and ten times the pods, as the original's fake provider sells them. */
export const assortedInstanceTypes = (count: number): readonly InstanceType[] =>
  Array.from({ length: count }, (_, index) => {
    const cpus = index + 1;
    const pricePerHour = 0.1 * cpus + 0.1 * 2 * cpus;
    return anInstanceType({
      name: `fake-it-${index}`,
      cpus,
      memoryBytes: 2 * cpus * 1024 ** 3,
      pods: 10 * cpus,
      overhead: { cpu: 100, memory: 10 * 1024 ** 2 },
      offerings: ['test-zone-1', 'test-zone-2', 'test-zone-3'].flatMap((zone) =>
        (zone === 'test-zone-3' ? ['on-demand'] : ['spot', 'on-demand']).map((capacityType) => ({ zone, capacityType, pricePerHour })),
      ),
    });
  });
