import type { Resources } from '../kube/index.ts';
import type { Requirements } from '../requirements/index.ts';
import type { Offering } from './offering.ts';

/** A size of machine that a cloud sells. Identity is the name; the object is never changed after it was handed out. */
export interface InstanceType {
  readonly name: string;
  /** One entry for every well-known label, also where the label is absent (`DoesNotExist`). Zone and capacity type: the union over offerings. */
  readonly requirements: Requirements;
  readonly offerings: readonly Offering[];
  readonly capacity: Resources;
  /** Kube-reserved + system-reserved + eviction threshold, summed. */
  readonly overhead: Resources;
  /** CSI driver → the most volumes that a machine of this type attaches. What is not said is inferred from nodes of the type, if there are any. */
  readonly volumeLimits?: Readonly<Record<string, number>>;
  /** What NodeOverlays say in place of the provider. Absent: nothing. */
  readonly overlaid?: Overlaid;
}

/** What of an instance type was changed by NodeOverlays, in `capacity` and `offerings` already. */
export interface Overlaid {
  /** Whether some offering has another price. */
  readonly hasPrice: boolean;
  /** Resources as the overlays state them; empty when they state none. */
  readonly capacity: Resources;
}
