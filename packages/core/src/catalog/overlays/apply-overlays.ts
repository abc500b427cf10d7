import type { Resources } from '../../kube/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import type { InstanceType } from '../instance-type.ts';
import type { Offering } from '../offering.ts';
import { adjustedPrice } from './adjusted-price.ts';
import { offeringsUnder } from './overlay-rule.ts';
import type { OverlayRule } from './overlay-rule.ts';

/** A rule and the offerings of one type that it applies to. */
interface Match {
  readonly rule: OverlayRule;
  readonly offerings: ReadonlySet<Offering>;
}

const matchesOf = (type: InstanceType, rules: readonly OverlayRule[], pool: Requirements): readonly Match[] =>
  rules.flatMap((rule) => {
    const offerings = offeringsUnder(rule, type, pool);
    return offerings.length === 0 ? [] : [{ rule, offerings: new Set(offerings) }];
  });

const repriced = (offering: Offering, matches: readonly Match[]): Offering => {
  const first = matches.find(({ rule, offerings }) => rule.priceChange !== undefined && offerings.has(offering));
  const change = first?.rule.priceChange;
  return change === undefined ? offering : { ...offering, pricePerHour: adjustedPrice(offering.pricePerHour, change) };
};

/** What the matching rules say together: for each resource the first that sets it counts. */
const capacityOf = (matches: readonly Match[]): Resources =>
  matches.reduceRight<Resources>((capacity, { rule }) => ({ ...capacity, ...rule.capacity }), {});

const overlaidType = (type: InstanceType, rules: readonly OverlayRule[], pool: Requirements): InstanceType => {
  const matches = matchesOf(type, rules, pool);
  if (matches.length === 0) return type;
  const capacity = capacityOf(matches);
  const offerings = type.offerings.map((offering) => repriced(offering, matches));
  const hasPrice = offerings.some((offering, index) => offering !== type.offerings[index]);
  if (!hasPrice && Object.keys(capacity).length === 0) return type;
  return { ...type, offerings, capacity: { ...type.capacity, ...capacity }, overlaid: { hasPrice, capacity } };
};

/**
 * The instance types of a pool with the overlays applied. The price of an offering is changed by the first rule that
 * sets it; the capacity of a type by every rule that is about one of its offerings. A type that no rule applies to
 * stays the same object. Cost: rules × types. Differs: nothing else of a type or offering is lost, and offerings are
 * distinguished by identity, not by a text.
 */
export const applyOverlays = (types: readonly InstanceType[], rules: readonly OverlayRule[], pool: Requirements): readonly InstanceType[] =>
  types.map((type) => overlaidType(type, rules, pool));
