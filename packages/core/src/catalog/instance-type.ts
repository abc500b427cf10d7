import { labels } from '../apis/index.ts';
import { amountIn, resourcesOf } from '../kube/index.ts';
import type { CounterSet, Device, ResourceList, Resources } from '../kube/index.ts';
import { allOf, labelRequirements, inValues } from '../requirements/index.ts';
import type { Requirements } from '../requirements/index.ts';
import { compareText, memoByObject } from '../base/index.ts';

/** Devices that a driver will publish of a machine; like a ResourceSlice, but of a machine that does not exist yet. */
export interface ResourceSliceTemplate {
  readonly driver: string;
  /** Templates with one driver and pool are of one pool. Names need to be unique within the instance type only. */
  readonly pool: string;
  readonly devices?: readonly Device[];
  readonly sharedCounters?: readonly CounterSet[];
}

/** Devices that will have one value of an attribute, though the value is not known before the machine runs. */
export interface AttributeBinding {
  /** The attribute's full name. */
  readonly attribute: string;
  /** At least two. */
  readonly devices: readonly { readonly driver: string; readonly pool: string; readonly device: string }[];
}

/** The devices that machines of an instance type bring, for pods with ResourceClaims. */
export interface DynamicResources {
  readonly resourceSliceTemplates: readonly ResourceSliceTemplate[];
  readonly attributeBindings?: readonly AttributeBinding[];
}

/** One way to buy an instance type: zone × capacity type × price. */
export interface Offering {
  readonly zone: string;
  /** `spot`, `on-demand` or `reserved`: see `capacityTypes`. */
  readonly capacityType: string;
  /** Dollars, 0 or more. The policy adds its prices for nodes and moves. */
  readonly pricePerHour: number;
  /** False: known, but not available at the moment (out of stock, no quota). */
  readonly isAvailable: boolean;
  /** Single-valued zone and capacity type, and whatever else distinguishes offerings of the provider. */
  readonly requirements: Requirements;
  /**
   * Of a capacity reservation (capacity type `reserved`): how many machines may still be launched into it. A launch
   * counts from the moment it is accepted. `requirements` name the id under the label catalog's `reservationId`.
   */
  readonly reservation?: { readonly id: string; readonly remaining: number };
  /** Resources whose amount on machines bought this way differs from the capacity of the type. */
  readonly capacityOverride?: Resources;
  /** The same for the overhead. */
  readonly overheadOverride?: Resources;
}

/** A size of machine that a cloud sells, identified by its name. The object never changes once it was handed out. */
export interface InstanceType {
  readonly name: string;
  /**
   * One entry for every well-known label, also where the label is absent (`DoesNotExist`). Zone and capacity type: the
   * union over offerings.
   */
  readonly requirements: Requirements;
  /** In any order; also those that are not available at the moment. */
  readonly offerings: readonly Offering[];
  /** What the machine has, before overhead; `pods` is among it. */
  readonly capacity: Resources;
  /** Kube-reserved + system-reserved + eviction threshold, summed. */
  readonly overhead: Resources;
  /**
   * CSI driver → the most volumes that a machine of this type attaches. Left out: inferred from nodes of the type, if
   * there are any.
   */
  readonly volumeLimits?: Readonly<Record<string, number>>;
  /** The devices that drivers will publish of a machine of this type. Absent: none. */
  readonly dynamicResources?: DynamicResources;
  /** What NodeOverlays have changed; absent: nothing. */
  readonly overlaid?: Overlaid;
}

/** What NodeOverlays have changed of an instance type; `capacity` and `offerings` include it already. */
export interface Overlaid {
  /** Whether some offering has another price. */
  readonly hasPrice: boolean;
  /** Resources as the overlays state them; empty when they state none. */
  readonly capacity: Resources;
}

/** A size of machine as plain JSON. Amounts are Kubernetes quantities, prices are per hour, in one currency of your choice. */
export interface PlainInstanceType {
  readonly name: string;
  /**
   * What the machine has: `{ cpu: '4', memory: '16Gi', pods: 110 }`. A resource that is not named is not there; pods
   * count as 110.
   */
  readonly capacity: ResourceList;
  /** What the system keeps of it for itself. Default: nothing. */
  readonly overhead?: ResourceList;
  /** Capacity type → price: `{ 'on-demand': 0.2, spot: 0.05 }`. The same in every zone. */
  readonly pricePerHour: Readonly<Record<string, number>>;
  /** Default: one zone, `zone-1`. */
  readonly zones?: readonly string[];
  /**
   * Further labels of its nodes, and other values for architecture (default `amd64`) and operating system (default
   * `linux`).
   */
  readonly labels?: Readonly<Record<string, string>>;
  /** The devices that drivers will publish of such a machine, for pods with ResourceClaims. Default: none. */
  readonly dynamicResources?: DynamicResources;
}

const offeringsOf = ({ pricePerHour, zones = ['zone-1'] }: PlainInstanceType): readonly Offering[] =>
  Object.entries(pricePerHour).flatMap(([capacityType, price]) =>
    zones.map((zone) => ({
      zone,
      capacityType,
      pricePerHour: price,
      isAvailable: true,
      requirements: labelRequirements({ [labels.zone]: zone, [labels.capacityType]: capacityType }),
    })),
  );

const requirementsOfPlain = ({ name, pricePerHour, zones = ['zone-1'], labels: own }: PlainInstanceType): Requirements =>
  allOf([
    ...labelRequirements({ [labels.arch]: 'amd64', [labels.os]: 'linux', ...own, [labels.instanceType]: name }).values(),
    inValues(labels.zone, zones),
    inValues(labels.capacityType, Object.keys(pricePerHour)),
  ]);

/** The instance type that plain JSON describes. Throws RangeError on a malformed quantity. */
export const instanceTypeOf = (plain: PlainInstanceType): InstanceType => ({
  name: plain.name,
  requirements: requirementsOfPlain(plain),
  offerings: offeringsOf(plain),
  capacity: resourcesOf({ pods: 110, ...plain.capacity }),
  overhead: resourcesOf(plain.overhead),
  ...(plain.dynamicResources && { dynamicResources: plain.dynamicResources }),
});

const compute = ({ capacity, overhead }: InstanceType): Resources => {
  const result: Record<string, number> = {};
  let hugePages = 0;
  for (const [name, amount] of Object.entries(capacity)) {
    result[name] = amount - amountIn(overhead, name);
    if (name.startsWith('hugepages-')) hugePages += amount;
  }
  if (hugePages > 0) result['memory'] = Math.max(0, (result['memory'] ?? 0) - hugePages);
  return result;
};

/**
 * What pods can have of a machine: capacity less overhead, and less the memory that huge pages took. Remembered per
 * type object. Source: the original's `InstanceType.Allocatable`.
 */
export const allocatableOf: (type: InstanceType) => Resources = memoByObject(compute);

const textOf = (amounts: Resources | undefined): string =>
  Object.entries(amounts ?? {})
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, amount]) => `${name}=${amount}`)
    .join();

const overridesOf = ({ capacityOverride, overheadOverride }: Offering): string => {
  if (capacityOverride === undefined && overheadOverride === undefined) return '';
  return `${textOf(capacityOverride)} less ${textOf(overheadOverride)}`;
};

const groupOf = (type: InstanceType, offerings: readonly Offering[]): InstanceType => {
  const [first] = offerings;
  return {
    ...type,
    offerings,
    capacity: { ...type.capacity, ...first?.capacityOverride },
    overhead: { ...type.overhead, ...first?.overheadOverride },
  };
};

/**
 * A type as several, one for each size that its offerings give it, in an order that depends on the sizes only; the type
 * itself, as the very object, where all are of one size. All have the name of the type.
 */
export const allocatableGroups = (type: InstanceType): readonly InstanceType[] => {
  if (type.offerings.every((offering) => overridesOf(offering) === '')) return [type];
  const groups = Map.groupBy(type.offerings, overridesOf);
  return [...groups].sort(([a], [b]) => compareText(a, b)).map(([, offerings]) => groupOf(type, offerings));
};
