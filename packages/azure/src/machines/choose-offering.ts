import {
  allocatableOf,
  firstConflict,
  fits,
  type InstanceType,
  isCompatibleOffering,
  type LabelCatalog,
  type Offering,
  type Requirements,
  type Resources,
} from '@karpenter/core';
import { REGIONAL_ZONE } from '../zones/index.ts';

export interface Wanted {
  readonly requirements: Requirements;
  readonly requests: Resources;
  readonly labelCatalog: LabelCatalog;
  /** Whether one more machine may be launched into a reservation. */
  readonly hasRoom: (reservationId: string) => boolean;
}

export interface Choice {
  readonly type: InstanceType;
  readonly offering: Offering;
}

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Cheapest first, then spot, then zonal; at last by name, so that the same claim always gets the same machine. */
const byPreference = (a: Choice, b: Choice): number =>
  a.offering.pricePerHour - b.offering.pricePerHour ||
  Number(b.offering.capacityType === 'spot') - Number(a.offering.capacityType === 'spot') ||
  Number(a.offering.zone === REGIONAL_ZONE) - Number(b.offering.zone === REGIONAL_ZONE) ||
  text(a.type.name, b.type.name) ||
  text(a.offering.zone, b.offering.zone);

const isToBeHad = ({ isAvailable, reservation }: Offering, { hasRoom }: Wanted): boolean =>
  isAvailable && (reservation === undefined || hasRoom(reservation.id));

/** Labels that only the claim names (the pool's own) say nothing about a type. */
const canMake = (type: InstanceType, { requirements, requests }: Wanted): boolean =>
  firstConflict(type.requirements, requirements) === undefined && fits(requests, allocatableOf(type));

/**
 * What to buy for a claim; undefined when nothing that fits is to be had.
 * Differs: the original draws one of the equally priced zones; ours are taken in order, and core's spread makes the zone the claim's matter.
 */
export const chooseOffering = (types: readonly InstanceType[], wanted: Wanted): Choice | undefined => {
  let best: Choice | undefined;
  for (const type of types) {
    if (!canMake(type, wanted)) continue;
    for (const offering of type.offerings) {
      if (!isToBeHad(offering, wanted) || !isCompatibleOffering(offering, wanted)) continue;
      const choice = { type, offering };
      if (best === undefined || byPreference(choice, best) < 0) best = choice;
    }
  }
  return best;
};
