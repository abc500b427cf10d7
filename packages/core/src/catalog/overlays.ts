import { labels, priceChangeOf } from '../apis/index.ts';
import type { LabelCatalog, NodeOverlay, NodePool } from '../apis/index.ts';
import { compareText, finish, getOrMake, memoByObject } from '../base/index.ts';
import type { Steps } from '../base/index.ts';
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

/** Each overlay is compiled once for a catalog, for its verdict and for all pools. */
const ruleOf = memoByObject((catalog: LabelCatalog) =>
  memoByObject(({ metadata, spec }: NodeOverlay): OverlayRule => ({
    name: metadata.name,
    weight: spec.weight ?? 0,
    requirements: requirementsOf(spec.requirements, catalog),
    priceChange: spec.price ?? spec.priceAdjustment,
    capacity: resourcesOf(spec.capacity),
  })),
);

/** The sound overlays, the one that counts most first: by weight, then by name from z to a, as the original takes them. */
export const overlayRules = (overlays: readonly NodeOverlay[], catalog: LabelCatalog): readonly OverlayRule[] =>
  overlays.map((overlay) => ruleOf(catalog)(overlay)).sort((a, b) => b.weight - a.weight || compareText(b.name, a.name));

/** What an overlay may ask of a NodePool: its name and the labels of its template. */
export const poolLabelRequirements = ({ metadata, spec }: NodePool, catalog: LabelCatalog): Requirements =>
  labelRequirements({ ...spec.template.metadata?.labels, [labels.nodePool]: metadata.name }, catalog);

/** A label that nobody states is missing. */
const isMet = (wanted: Requirement, own: Requirement | undefined): boolean =>
  own === undefined ? wanted.mayBeAbsent : intersects(own, wanted);

/** The types of one pool, to which overlays may apply. */
export interface OverlaidPool {
  readonly labels: Requirements;
  readonly types: readonly InstanceType[];
}

/** Labels that some of the types state, and those that some of their offerings state. */
const statedLabels = memoByObject((types: readonly InstanceType[]) => ({
  ofTypes: new Set(types.flatMap(({ requirements }) => [...requirements.keys()])),
  ofOfferings: new Set(types.flatMap(({ offerings }) => offerings.flatMap(({ requirements }) => [...requirements.keys()]))),
}));

/** A rule for the types of one pool. What the labels of the pool settle is settled. */
interface PoolRule {
  readonly rule: OverlayRule;
  readonly labels: Requirements;
  /** Requirements on labels that types state, and no offering. */
  readonly ofTypes: readonly Requirement[];
  readonly ofOfferings: readonly Requirement[];
}

/** Undefined: the rule is about none of the types. */
const poolRuleOf = (rule: OverlayRule, { labels: ofPool, types }: OverlaidPool): PoolRule | undefined => {
  const stated = statedLabels(types);
  const ofTypes: Requirement[] = [];
  const ofOfferings: Requirement[] = [];
  for (const wanted of rule.requirements.values()) {
    if (stated.ofOfferings.has(wanted.key)) ofOfferings.push(wanted);
    else if (stated.ofTypes.has(wanted.key)) ofTypes.push(wanted);
    else if (!isMet(wanted, ofPool.get(wanted.key))) return undefined;
  }
  return { rule, labels: ofPool, ofTypes, ofOfferings };
};

/**
 * The offerings of a type that a rule is about; none when it is not about the type. What an offering says of a label
 * counts before what its type says, and that before the pool.
 */
const offeringsUnder = ({ labels: ofPool, ofTypes, ofOfferings }: PoolRule, type: InstanceType): readonly Offering[] => {
  const ofType = ({ key }: Requirement): Requirement | undefined => type.requirements.get(key) ?? ofPool.get(key);
  if (!ofTypes.every((wanted) => isMet(wanted, ofType(wanted)))) return [];
  if (ofOfferings.length === 0) return type.offerings;
  return type.offerings.filter(({ requirements }) =>
    ofOfferings.every((wanted) => isMet(wanted, requirements.get(wanted.key) ?? ofType(wanted))),
  );
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

/** What rules change of one type. */
interface TypeChanges {
  readonly prices: ReadonlyMap<Offering, string>;
  /** Of each rule that is about one of the offerings, in order. */
  readonly capacities: readonly Resources[];
}

/** For each offering the first rule that sets its price counts: once all have one, only capacities are of interest. */
const changesOf = (type: InstanceType, rules: readonly PoolRule[]): TypeChanges => {
  const prices = new Map<Offering, string>();
  const capacities: Resources[] = [];
  for (const each of rules) {
    const { priceChange, capacity } = each.rule;
    const setsPrice = priceChange !== undefined && prices.size < type.offerings.length;
    const setsCapacity = Object.keys(capacity).length > 0;
    if (!setsPrice && !setsCapacity) continue;
    const offerings = offeringsUnder(each, type);
    if (setsPrice) for (const offering of offerings) if (!prices.has(offering)) prices.set(offering, priceChange);
    if (setsCapacity && offerings.length > 0) capacities.push(capacity);
  }
  return { prices, capacities };
};

/** For each resource the first that sets it counts. */
const capacityOf = (capacities: readonly Resources[]): Resources =>
  Object.fromEntries(capacities.toReversed().flatMap((capacity) => Object.entries(capacity)));

const overlaidType = (type: InstanceType, rules: readonly PoolRule[]): InstanceType => {
  const { prices, capacities } = changesOf(type, rules);
  if (prices.size === 0 && capacities.length === 0) return type;
  const capacity = capacityOf(capacities);
  const offerings = type.offerings.map((offering): Offering => {
    const change = prices.get(offering);
    return change === undefined ? offering : { ...offering, pricePerHour: adjustedPrice(offering.pricePerHour, change) };
  });
  return { ...type, offerings, capacity: { ...type.capacity, ...capacity }, overlaid: { hasPrice: prices.size > 0, capacity } };
};

/** The rules that may be about types of the pool. */
function* readingRules(rules: readonly OverlayRule[], pool: OverlaidPool): Steps<readonly PoolRule[]> {
  const ofPool: PoolRule[] = [];
  for (const rule of rules) {
    const read = poolRuleOf(rule, pool);
    if (read !== undefined) ofPool.push(read);
    yield;
  }
  return ofPool;
}

/** Provider's type → the type with the overlays of one pool, so that the same input gives the same objects. */
export type OverlaidTypes = WeakMap<InstanceType, InstanceType>;

/**
 * The instance types of a pool with the overlays applied. The price of an offering is changed by the first rule that
 * sets it; the capacity of a type by every rule that is about one of its offerings. A type that no rule applies to
 * stays the same object. Adds to `made`, and takes what is there, also what another run adds meanwhile.
 * Cost: rules × types that are not in `made`. Differs: nothing else of a type or offering is lost, and offerings are
 * distinguished by identity, not by a text.
 */
export function* applyingOverlays(pool: OverlaidPool, rules: readonly OverlayRule[], made: OverlaidTypes): Steps<readonly InstanceType[]> {
  const ofPool = yield* readingRules(rules, pool);
  const types: InstanceType[] = [];
  for (const type of pool.types) {
    const known = made.get(type);
    const overlaid = known ?? overlaidType(type, ofPool);
    types.push(overlaid);
    if (known !== undefined) continue;
    made.set(type, overlaid);
    yield;
  }
  return types;
}

/** `applyingOverlays`, run to its end. */
export const applyOverlays = (
  types: readonly InstanceType[],
  rules: readonly OverlayRule[],
  labels: Requirements,
): readonly InstanceType[] => finish(applyingOverlays({ types, labels }, rules, new WeakMap()));

/** Two overlays of the same weight that set the same thing: which one counts would be chance. */
export interface OverlayConflict {
  readonly with: string;
  readonly instanceType: string;
  /** `price`, or the resource. */
  readonly about: string;
}

/** A rule, a type that it applies to, and the offerings of it. */
interface RuleMatch {
  readonly rule: OverlayRule;
  readonly type: InstanceType;
  readonly offerings: readonly Offering[];
}

/** A pool, and which rule of one weight sets each of its prices and resources. */
class PoolSettings {
  readonly pool: OverlaidPool;
  readonly #ofOffering = new Map<Offering, OverlayRule>();
  readonly #ofResource = new Map<InstanceType, Map<string, OverlayRule>>();

  constructor(pool: OverlaidPool) {
    this.pool = pool;
  }

  conflictOf({ rule, type, offerings }: RuleMatch): OverlayConflict | undefined {
    if (rule.priceChange !== undefined)
      for (const offering of offerings) {
        const other = this.#ofOffering.get(offering);
        if (other !== undefined) return { with: other.name, instanceType: type.name, about: 'price' };
      }
    for (const resource of Object.keys(rule.capacity)) {
      const other = this.#ofResource.get(type)?.get(resource);
      if (other !== undefined) return { with: other.name, instanceType: type.name, about: resource };
    }
    return undefined;
  }

  record({ rule, type, offerings }: RuleMatch): void {
    if (rule.priceChange !== undefined) for (const offering of offerings) this.#ofOffering.set(offering, rule);
    const resources = getOrMake(this.#ofResource, type, () => new Map<string, OverlayRule>());
    for (const resource of Object.keys(rule.capacity)) resources.set(resource, rule);
  }
}

/** So many types are compared with a rule, which may have a hundred requirements, without a pause: about a millisecond. */
const TYPES_A_STEP = 64;

/** The first conflict of a rule with those that were recorded. It is recorded where there is none in any pool. */
function* findingConflict(rule: OverlayRule, all: readonly PoolSettings[]): Steps<OverlayConflict | undefined> {
  const found: (readonly [PoolSettings, RuleMatch])[] = [];
  for (const settings of all) {
    const poolRule = poolRuleOf(rule, settings.pool);
    yield;
    if (poolRule === undefined) continue;
    for (const [index, type] of settings.pool.types.entries()) {
      if (index % TYPES_A_STEP === 0) yield;
      const match = { rule, type, offerings: offeringsUnder(poolRule, type) };
      if (match.offerings.length === 0) continue;
      const conflict = settings.conflictOf(match);
      if (conflict !== undefined) return conflict;
      found.push([settings, match]);
    }
  }
  for (const [index, [settings, match]] of found.entries()) {
    if (index % TYPES_A_STEP === 0) yield;
    settings.record(match);
  }
  return undefined;
}

/**
 * Overlay → its first conflict with one that is in force. Takes rules in the order of `overlayRules`. A rule that
 * conflicts anywhere is in force nowhere, and so conflicts with no later one. Only rules of equal weight are compared.
 * Cost: rules that share a weight × pools × types.
 */
export function* findingOverlayConflicts(
  rules: readonly OverlayRule[],
  pools: readonly OverlaidPool[],
): Steps<ReadonlyMap<string, OverlayConflict>> {
  const conflicts = new Map<string, OverlayConflict>();
  for (const equals of Map.groupBy(rules, ({ weight }) => weight).values()) {
    if (equals.length === 1) continue;
    const settings = pools.map((pool) => new PoolSettings(pool));
    for (const rule of equals) {
      const conflict = yield* findingConflict(rule, settings);
      if (conflict !== undefined) conflicts.set(rule.name, conflict);
    }
  }
  return conflicts;
}
