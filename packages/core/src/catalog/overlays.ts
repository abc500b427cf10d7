import { labels, priceChangeOf } from '../apis/index.ts';
import type { LabelCatalog, NodeOverlay, NodePool } from '../apis/index.ts';
import { compareText } from '../base/index.ts';
import { resourcesOf } from '../kube/index.ts';
import type { Resources } from '../kube/index.ts';
import { intersects, labelRequirements, requirementsOf } from '../requirements/index.ts';
import type { Requirement, Requirements } from '../requirements/index.ts';
import type { InstanceType, Offering } from './instance-type.ts';

/** A NodeOverlay, read. */
interface OverlayRule {
  readonly name: string;
  readonly weight: number;
  readonly requirements: Requirements;
  /** What `adjustedPrice` takes; absent where the overlay leaves prices alone. */
  readonly priceChange: string | undefined;
  readonly capacity: Resources;
}

/** The sound overlays, the one that counts most first: by weight, then by name from z to a, as the original takes them. */
export const overlayRules = (overlays: readonly NodeOverlay[], catalog: LabelCatalog): readonly OverlayRule[] =>
  overlays
    .map(({ metadata, spec }) => ({
      name: metadata.name,
      weight: spec.weight ?? 0,
      requirements: requirementsOf(spec.requirements, catalog),
      priceChange: spec.price ?? spec.priceAdjustment,
      capacity: resourcesOf(spec.capacity),
    }))
    .sort((a, b) => b.weight - a.weight || compareText(b.name, a.name));

/** What an overlay may ask of a NodePool: its name and the labels of its template. */
export const poolLabelRequirements = ({ metadata, spec }: NodePool, catalog: LabelCatalog): Requirements =>
  labelRequirements({ ...spec.template.metadata?.labels, [labels.nodePool]: metadata.name }, catalog);

/** A label that nobody states is missing. */
const isMet = (wanted: Requirement, own: Requirement | undefined): boolean =>
  own === undefined ? wanted.mayBeAbsent : intersects(own, wanted);

/**
 * The offerings of a type that a rule is about; none when it is not about the type. What an offering says of a label
 * counts before what its type says, and that before the pool.
 */
const offeringsUnder = ({ requirements }: OverlayRule, type: InstanceType, pool: Requirements): readonly Offering[] => {
  const wanted = [...requirements.values()];
  const ofType = (each: Requirement): Requirement | undefined => type.requirements.get(each.key) ?? pool.get(each.key);
  const mayVary = (each: Requirement): boolean => type.offerings.some((offering) => offering.requirements.has(each.key));
  if (!wanted.every((each) => mayVary(each) || isMet(each, ofType(each)))) return [];
  return type.offerings.filter((offering) => wanted.every((each) => isMet(each, offering.requirements.get(each.key) ?? ofType(each))));
};

/**
 * The price after a change: `+n` and `-n` are added to it, `+n%` and `-n%` are shares of it, anything else takes its
 * place. At least 0. Shares are of the provider's own price. A price that nobody knows (NaN) stays unknown unless it is
 * replaced. A malformed change changes nothing.
 */
export const adjustedPrice = (pricePerHour: number, change: string): number => {
  const { kind, amount } = priceChangeOf(change) ?? { kind: 'add', amount: 0 };
  switch (kind) {
    case 'replace':
      return amount;
    case 'add':
      return Math.max(0, pricePerHour + amount);
    case 'percent':
      return Math.max(0, (pricePerHour * (100 + amount)) / 100);
  }
};

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

/** The types of one pool, to which overlays may apply. */
export interface OverlaidPool {
  readonly labels: Requirements;
  readonly types: readonly InstanceType[];
}

/** Two overlays of the same weight that set the same thing: which one counts would be chance. */
export interface OverlayConflict {
  readonly with: string;
  readonly instanceType: string;
  /** `price`, or the resource. */
  readonly about: string;
}

/**
 * The rule that last set each price and each resource. Rules come in order of weight, so only the last can have an
 * equal weight.
 */
class LastSetBy {
  readonly #ofOffering = new Map<Offering, OverlayRule>();
  readonly #ofResource = new Map<InstanceType, Map<string, OverlayRule>>();

  conflictOf(rule: OverlayRule, type: InstanceType, offerings: readonly Offering[]): OverlayConflict | undefined {
    const isEqual = (other: OverlayRule | undefined): other is OverlayRule => other !== undefined && other.weight === rule.weight;
    if (rule.priceChange !== undefined) {
      const other = offerings.map((offering) => this.#ofOffering.get(offering)).find(isEqual);
      if (other !== undefined) return { with: other.name, instanceType: type.name, about: 'price' };
    }
    for (const resource of Object.keys(rule.capacity)) {
      const other = this.#ofResource.get(type)?.get(resource);
      if (isEqual(other)) return { with: other.name, instanceType: type.name, about: resource };
    }
    return undefined;
  }

  record(rule: OverlayRule, type: InstanceType, offerings: readonly Offering[]): void {
    if (rule.priceChange !== undefined) for (const offering of offerings) this.#ofOffering.set(offering, rule);
    const resources = this.#ofResource.get(type) ?? new Map<string, OverlayRule>();
    for (const resource of Object.keys(rule.capacity)) resources.set(resource, rule);
    this.#ofResource.set(type, resources);
  }
}

/** A type that a rule applies to, and the offerings of it. */
interface FoundConflict {
  readonly lastSetBy: LastSetBy;
  readonly type: InstanceType;
  readonly offerings: readonly Offering[];
}

/**
 * Overlay → its first conflict with one that is in force. Takes rules in the order of `overlayRules`. A rule that
 * conflicts anywhere is in force nowhere, and so conflicts with no later one. Cost: rules × pools × types.
 */
export const overlayConflicts = (rules: readonly OverlayRule[], pools: readonly OverlaidPool[]): ReadonlyMap<string, OverlayConflict> => {
  const places = pools.map((pool) => ({ ...pool, lastSetBy: new LastSetBy() }));
  const conflicts = new Map<string, OverlayConflict>();
  for (const rule of rules) {
    const matches = places.flatMap(({ labels, types, lastSetBy }): readonly FoundConflict[] =>
      types
        .map((type) => ({ lastSetBy, type, offerings: offeringsUnder(rule, type, labels) }))
        .filter(({ offerings }) => offerings.length > 0),
    );
    const conflict = matches
      .map(({ lastSetBy, type, offerings }) => lastSetBy.conflictOf(rule, type, offerings))
      .find((each) => each !== undefined);
    if (conflict !== undefined) conflicts.set(rule.name, conflict);
    else for (const { lastSetBy, type, offerings } of matches) lastSetBy.record(rule, type, offerings);
  }
  return conflicts;
};
