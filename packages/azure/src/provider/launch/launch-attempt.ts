import type { FailedLaunchAttempt } from '../../arm/error-codes/launch-verdict.ts';
import type { InstanceTypeCatalog } from '../../catalog/index.ts';
import type { ReservationName } from '../../reservations/index.ts';
import { zoneLabelOf } from '../../zones/index.ts';

/** What was bought, or tried. */
export interface Bought {
  readonly size: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly reservation?: ReservationName | undefined;
}

/** A try as failures are judged by; undefined for a size that is no longer sold. */
export const launchAttemptOf = (
  { skus }: Pick<InstanceTypeCatalog, 'skus'>,
  location: string,
  { size, zone, capacityType, reservation }: Bought,
): FailedLaunchAttempt | undefined => {
  const sku = skus.get(size);
  return (
    sku && { size: sku, zones: sku.zones.map((each) => zoneLabelOf(location, each)), zone, capacityType, reservationId: reservation?.id }
  );
};
