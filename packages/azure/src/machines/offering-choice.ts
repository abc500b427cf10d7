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
  requirementsOf,
  type Resources,
} from '@karpenter/core';
import { azureLabelCatalog, type NodeImage } from '../apis/index.ts';
import { REGIONAL_ZONE } from '../zones/index.ts';

/** The first image that a type can run; undefined when it can run none. */
export const selectImage = (images: readonly NodeImage[], type: InstanceType): NodeImage | undefined =>
  images.find((image) => firstConflict(type.requirements, requirementsOf(image.requirements, azureLabelCatalog)) === undefined);

export interface Wanted {
  readonly claimName: string;
  readonly requirements: Requirements;
  readonly requests: Resources;
  readonly labelCatalog: LabelCatalog;
  /** Whether one more machine may be launched into a reservation. */
  readonly hasRoom: (reservationId: string) => boolean;
  /** What the price of a spot machine counts for; absent: its price. */
  readonly spotFactorOf?: (size: string, zone: string) => number;
}

export interface OfferingChoice {
  readonly type: InstanceType;
  readonly offering: Offering;
}

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Where the zone stands in the order of one claim; every claim has an order of its own. */
const lotOf = (zone: string, claimName: string): string => createHash('sha256').update(`${claimName}-${zone}`).digest('hex');

const isSpot = ({ offering }: OfferingChoice): boolean => offering.capacityType === 'spot';

const weightOf = (choice: OfferingChoice, { spotFactorOf }: Wanted): number => {
  const { type, offering } = choice;
  return offering.pricePerHour * (spotFactorOf !== undefined && isSpot(choice) ? spotFactorOf(type.name, offering.zone) : 1);
};

/**
 * Cheapest first, then spot, then zonal, then by name of the type; at last by lot, so that the same claim always gets
 * the same machine.
 */
const byPreference = (a: OfferingChoice, b: OfferingChoice, wanted: Wanted): number =>
  weightOf(a, wanted) - weightOf(b, wanted) ||
  Number(isSpot(b)) - Number(isSpot(a)) ||
  Number(a.offering.zone === REGIONAL_ZONE) - Number(b.offering.zone === REGIONAL_ZONE) ||
  text(a.type.name, b.type.name) ||
  text(lotOf(a.offering.zone, wanted.claimName), lotOf(b.offering.zone, wanted.claimName));

const isToBeHad = ({ isAvailable, reservation }: Offering, { hasRoom }: Wanted): boolean =>
  isAvailable && (reservation === undefined || hasRoom(reservation.id));

/** Labels that only the claim names (the pool's own) say nothing about a type. */
const canMake = (type: InstanceType, { requirements, requests }: Wanted): boolean =>
  firstConflict(type.requirements, requirements) === undefined && fits(requests, allocatableOf(type));

/** Every offering that could be bought for a claim. */
function* choicesOf(types: readonly InstanceType[], wanted: Wanted): Generator<OfferingChoice> {
  for (const type of types) {
    if (!canMake(type, wanted)) continue;
    for (const offering of type.offerings)
      if (isToBeHad(offering, wanted) && isCompatibleOffering(offering, wanted)) yield { type, offering };
  }
}

/** The cheapest sizes that could be bought as spot, by price; none where a claim allows no spot. */
export const cheapestSpotSizes = (types: readonly InstanceType[], wanted: Wanted, count: number): readonly string[] => {
  const prices = new Map<string, number>();
  for (const choice of choicesOf(types, wanted)) {
    const { type, offering } = choice;
    if (isSpot(choice)) prices.set(type.name, Math.min(offering.pricePerHour, prices.get(type.name) ?? Infinity));
  }
  const cheapest = [...prices].sort(([a, price], [b, other]) => price - other || text(a, b));
  return cheapest.slice(0, count).map(([size]) => size);
};

/**
 * The offering to buy for a claim; undefined if no compatible offering is available.
 * Differs: the original draws one of the equally priced zones at each try; here the claim's name decides.
 */
export const chooseOffering = (types: readonly InstanceType[], wanted: Wanted): OfferingChoice | undefined => {
  let best: OfferingChoice | undefined;
  for (const choice of choicesOf(types, wanted)) if (best === undefined || byPreference(choice, best, wanted) < 0) best = choice;
  return best;
};
