import { labels } from '../apis/index.ts';
import type { LabelCatalog } from '../apis/index.ts';
import { compareText } from '../base/index.ts';
import { compatible, describeRequirement, intersects } from '../requirements/index.ts';
import type { Requirement, Requirements } from '../requirements/index.ts';
import type { InstanceType, Offering } from './instance-type.ts';
import { minValuesOf } from './min-values.ts';
import type { MinValuesShortfall } from './min-values.ts';

/**
 * An order of offerings: those in a zone come before those in none, where the provider picks a machine's place within
 * its region. What stands for no zone is what the label catalog makes of an empty one.
 */
export const zonalFirst = ({ normalizedValues }: LabelCatalog): ((a: Offering, b: Offering) => number) => {
  const none = normalizedValues.get(labels.zone)?.get('');
  return (a, b) => Number(a.zone === none) - Number(b.zone === none);
};

/** What a node is to be, and what its provider says about labels. */
export interface NodeRequirements {
  readonly requirements: Requirements;
  readonly labelCatalog: LabelCatalog;
}

/** Whether a node with these requirements may be bought by this offering; availability is not checked. */
export const isCompatibleOffering = (offering: Offering, { requirements, labelCatalog }: NodeRequirements): boolean =>
  compatible(requirements, offering.requirements, { allowUndefined: labelCatalog.wellKnown }) === undefined;

/**
 * The available compatible offerings of a type, cheapest first; ties zonal ones first, then by zone and capacity type.
 * A new array, empty when there is none. Not remembered: O(offerings) comparisons of requirements, and a sort.
 */
export const compatibleOfferings = (type: InstanceType, wanted: NodeRequirements): readonly Offering[] => {
  const byPlacement = zonalFirst(wanted.labelCatalog);
  return type.offerings
    .filter((offering) => offering.isAvailable && isCompatibleOffering(offering, wanted))
    .sort(
      (a, b) =>
        a.pricePerHour - b.pricePerHour || byPlacement(a, b) || compareText(a.zone, b.zone) || compareText(a.capacityType, b.capacityType),
    );
};

/** The cheapest available compatible offering; undefined when there is none. */
export const cheapestOffering = (type: InstanceType, wanted: NodeRequirements): Offering | undefined =>
  compatibleOfferings(type, wanted)[0];

/** The types that can be bought for the requirements, by their cheapest offering, then by name. */
export const orderByPrice = (types: readonly InstanceType[], wanted: NodeRequirements): readonly InstanceType[] =>
  types
    .map((type) => ({ type, price: cheapestOffering(type, wanted)?.pricePerHour }))
    .filter((entry): entry is { type: InstanceType; price: number } => entry.price !== undefined)
    .sort((a, b) => a.price - b.price || compareText(a.type.name, b.type.name))
    .map(({ type }) => type);

const launchOrder = ['reserved', 'spot', 'on-demand'];

/**
 * What a launch of the type may cost at worst: the dearest available compatible offering of the capacity type that
 * would be taken first (reserved, spot, on-demand); Infinity when it cannot be bought. Source: the original's
 * `Offerings.WorstLaunchPrice`.
 */
export const worstLaunchPrice = (type: InstanceType, wanted: NodeRequirements): number => {
  const offerings = compatibleOfferings(type, wanted);
  for (const capacityType of launchOrder) {
    const dearest = offerings.findLast((offering) => offering.capacityType === capacityType);
    if (dearest !== undefined) return dearest.pricePerHour;
  }
  return Number.POSITIVE_INFINITY;
};

/** How many of the instance types on offer meet what a NodePool requires. */
export interface PoolMatch {
  readonly total: number;
  /** Types that meet every requirement, in stock or not. */
  readonly types: number;
  /** Available offerings of these. */
  readonly offerings: number;
  /** Requirements in order of labels, each with the types that it removes of those that the ones before it left. */
  readonly removedBy: readonly { readonly requirement: string; readonly removed: number }[];
  /** The `minValues` that the types with available offerings do not reach. */
  readonly shortfalls: readonly MinValuesShortfall[];
}

const meets = ({ requirements }: InstanceType, wanted: Requirement): boolean => {
  const own = requirements.get(wanted.key);
  return own === undefined || intersects(own, wanted);
};

/** Compares the types with the requirements of a pool, label by label. Costs types × requirements. */
export const poolMatch = (instanceTypes: readonly InstanceType[], wanted: NodeRequirements): PoolMatch => {
  let left = instanceTypes;
  const removedBy: { requirement: string; removed: number }[] = [];
  for (const requirement of [...wanted.requirements.values()].sort((a, b) => compareText(a.key, b.key))) {
    const kept = left.filter((type) => meets(type, requirement));
    if (kept.length < left.length) removedBy.push({ requirement: describeRequirement(requirement), removed: left.length - kept.length });
    left = kept;
  }
  const counts = left.map((type) => compatibleOfferings(type, wanted).length);
  const offerings = counts.reduce((sum, count) => sum + count, 0);
  const sold = left.filter((_, index) => counts[index] !== 0);
  const variety = minValuesOf(wanted.requirements, sold);
  const shortfalls = variety.kind === 'short' ? variety.shortfalls : [];
  return { total: instanceTypes.length, types: left.length, offerings, removedBy, shortfalls };
};
