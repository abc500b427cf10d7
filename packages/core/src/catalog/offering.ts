import type { Resources } from '../kube/index.ts';
import type { Requirements } from '../requirements/index.ts';

/** One way to buy an instance type: zone × capacity type × price. */
export interface Offering {
  readonly zone: string;
  readonly capacityType: string;
  readonly pricePerHour: number;
  /** False: known, but not to be had at the moment (out of stock, no quota). */
  readonly isAvailable: boolean;
  /** Single-valued zone and capacity type, and whatever else the provider tells offerings apart by. */
  readonly requirements: Requirements;
  /**
   * Capacity that is kept for us, with capacity type `reserved`: how many machines may still be launched into the reservation. A launch counts
   * from the moment it was accepted. `requirements` name the id under the label catalog's `reservationId`.
   */
  readonly reservation?: { readonly id: string; readonly remaining: number };
  /** Resources of which machines bought this way have another amount than the type's capacity says. */
  readonly capacityOverride?: Resources;
  /** The same of what is kept back of them. */
  readonly overheadOverride?: Resources;
}
