import type { Resources } from '../kube/index.ts';
import type { Requirements } from '../requirements/index.ts';

/** One way to buy an instance type: zone × capacity type × price. */
export interface Offering {
  readonly zone: string;
  readonly capacityType: string;
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
