import type { Resources } from '../kube/index.ts';
import type { Requirements } from '../requirements/index.ts';
import type { DynamicResources } from './dynamic-resources.ts';
import type { Offering } from './offering.ts';

/** A size of machine that a cloud sells, identified by its name. The object never changes once it was handed out. */
export interface InstanceType {
  readonly name: string;
  /**
   * One entry for every well-known label, also where the label is absent (`DoesNotExist`). Zone and capacity type: the
   * union over offerings.
   */
  readonly requirements: Requirements;
  readonly offerings: readonly Offering[];
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
