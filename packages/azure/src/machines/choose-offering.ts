import { createHash } from 'node:crypto';
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
  readonly claimName: string;
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

/** Where the zone stands in the order of one claim; every claim has an order of its own. */
const lotOf = (zone: string, claimName: string): string => createHash('sha256').update(`${claimName}-${zone}`).digest('hex');

/** Cheapest first, then spot, then zonal, then by name of the type; at last by lot, so that the same claim always gets the same machine. */
const byPreference = (a: Choice, b: Choice, claimName: string): number =>
  a.offering.pricePerHour - b.offering.pricePerHour ||
  Number(b.offering.capacityType === 'spot') - Number(a.offering.capacityType === 'spot') ||
  Number(a.offering.zone === REGIONAL_ZONE) - Number(b.offering.zone === REGIONAL_ZONE) ||
  text(a.type.name, b.type.name) ||
  text(lotOf(a.offering.zone, claimName), lotOf(b.offering.zone, claimName));

const isToBeHad = ({ isAvailable, reservation }: Offering, { hasRoom }: Wanted): boolean =>
  isAvailable && (reservation === undefined || hasRoom(reservation.id));

/** Labels that only the claim names (the pool's own) say nothing about a type. */
const canMake = (type: InstanceType, { requirements, requests }: Wanted): boolean =>
  firstConflict(type.requirements, requirements) === undefined && fits(requests, allocatableOf(type));

/**
 * The offering to buy for a claim; undefined if no compatible offering is available.
 * Differs: the original draws one of the equally priced zones at each try; here the claim's name decides.
 */
export const chooseOffering = (types: readonly InstanceType[], wanted: Wanted): Choice | undefined => {
  let best: Choice | undefined;
  for (const type of types) {
    if (!canMake(type, wanted)) continue;
    for (const offering of type.offerings) {
      if (!isToBeHad(offering, wanted) || !isCompatibleOffering(offering, wanted)) continue;
      const choice = { type, offering };
      if (best === undefined || byPreference(choice, best, wanted.claimName) < 0) best = choice;
    }
  }
  return best;
};
