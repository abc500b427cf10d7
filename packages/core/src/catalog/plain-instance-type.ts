import { labels } from '../apis/index.ts';
import { resourcesOf } from '../kube/index.ts';
import type { ResourceList } from '../kube/index.ts';
import { allOf, labelRequirements } from '../requirements/index.ts';
import type { Requirement, Requirements } from '../requirements/index.ts';
import type { DynamicResources } from './dynamic-resources.ts';
import type { InstanceType } from './instance-type.ts';
import type { Offering } from './offering.ts';

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

const anyOf = (key: string, values: readonly string[]): Requirement => ({
  key,
  values: { kind: 'in', values: new Set(values) },
  mayBeAbsent: false,
});

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
    anyOf(labels.zone, zones),
    anyOf(labels.capacityType, Object.keys(pricePerHour)),
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
