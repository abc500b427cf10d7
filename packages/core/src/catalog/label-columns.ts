import { addBit, addToGroup, emptyBitSet, fullBitSet, getOrMake, memoByKey, removeBit } from '../base/index.ts';
import type { BitSet } from '../base/index.ts';
import { implies, intersects } from '../requirements/index.ts';
import type { Requirement, Requirements } from '../requirements/index.ts';
import { requirementText, requirementTextOnce } from './requirement-text.ts';

/** Instance types, or offerings. */
type Owners = readonly { readonly requirements: Requirements }[];

/** The owners that say the same about a label. `own` is absent: they say nothing. */
interface LabelGroup {
  readonly own: Requirement | undefined;
  readonly members: number[];
}

/** What the owners say about one label. */
interface Label {
  readonly groups: readonly LabelGroup[];
  /**
   * Value → the groups that may have it, for every value that an owner may have; absent where some owner does not list
   * its values.
   */
  readonly byValue: ReadonlyMap<string, readonly LabelGroup[]> | undefined;
  readonly values: ReadonlySet<string> | undefined;
  /** Value → the owners that list it. */
  readonly listing: ReadonlyMap<string, BitSet>;
}

/** A pod author chooses the requirements of these questions: more answers than this are not kept. */
const MOST_ANSWERS = 4096;

const groupsOf = (owners: Owners, key: string): readonly LabelGroup[] => {
  const groups = new Map<string, LabelGroup>();
  owners.forEach(({ requirements }, index) => {
    const own = requirements.get(key);
    const text = own === undefined ? '' : requirementTextOnce(own);
    getOrMake(groups, text, () => ({ own, members: [] })).members.push(index);
  });
  return [...groups.values()];
};

const groupsByValue = (groups: readonly LabelGroup[]): Label['byValue'] => {
  const byValue = new Map<string, LabelGroup[]>();
  for (const group of groups) {
    const { own } = group;
    if (own?.values.kind !== 'in' || own.mayBeAbsent || own.values.values.size === 0) return undefined;
    for (const value of own.values.values) addToGroup(byValue, value, group);
  }
  return byValue;
};

const listingOf = (groups: readonly LabelGroup[], owners: number): Label['listing'] => {
  const listing = new Map<string, BitSet>();
  for (const { own, members } of groups) {
    if (own?.values.kind !== 'in') continue;
    for (const value of own.values.values) {
      const bits = listing.get(value) ?? emptyBitSet(owners);
      for (const member of members) addBit(bits, member);
      listing.set(value, bits);
    }
  }
  return listing;
};

/** What owners say about a label that none of them states. */
const UNSTATED: Label = { groups: [], byValue: undefined, values: undefined, listing: new Map() };

/** Answers which owners meet a requirement. Costs the distinct requirements of the owners about its label, not the owners. */
export class LabelColumns {
  readonly #owners: Owners;
  /** The labels that some owner states: of others, which pod authors invent, nothing is remembered. */
  readonly #stated: ReadonlySet<string>;
  readonly #all: BitSet;
  readonly #none: BitSet;
  readonly #meeting = new Map<string, BitSet>();
  readonly #implying = new Map<string, BitSet>();

  constructor(owners: Owners) {
    this.#owners = owners;
    this.#stated = new Set(owners.flatMap(({ requirements }) => [...requirements.keys()]));
    this.#all = fullBitSet(owners.length);
    this.#none = emptyBitSet(owners.length);
  }

  /** Owners whose own requirement shares a value with this one, or that do not know its key. */
  meeting(requirement: Requirement): BitSet {
    return this.#answer(this.#meeting, requirement, (own) => own === undefined || intersects(own, requirement));
  }

  /** Owners that meet it whichever of their own values they get; those that do not know its key are not among them. */
  implying(requirement: Requirement): BitSet {
    return this.#answer(this.#implying, requirement, (own) => own !== undefined && implies(own, requirement));
  }

  /** Whether some owner says anything about the label. */
  states(key: string): boolean {
    return this.#stated.has(key);
  }

  /** Every value of the label that an owner may have; undefined where some owner does not list its values. */
  valuesOf(key: string): ReadonlySet<string> | undefined {
    return this.#labelOf(key).values;
  }

  /** Value of the label → the owners that list it. */
  listing(key: string): ReadonlyMap<string, BitSet> {
    return this.#labelOf(key).listing;
  }

  #answer(answers: Map<string, BitSet>, requirement: Requirement, holds: (own: Requirement | undefined) => boolean): BitSet {
    if (!this.#stated.has(requirement.key)) return holds(undefined) ? this.#all : this.#none;
    return getOrMake(answers, requirementText(requirement), () => {
      if (answers.size === MOST_ANSWERS) answers.clear();
      return this.#ownersThat(holds, requirement);
    });
  }

  #ownersThat(holds: (own: Requirement | undefined) => boolean, requirement: Requirement): BitSet {
    const fails = this.#groupsFailing(requirement);
    const found = fails === undefined ? emptyBitSet(this.#owners.length) : this.#all.slice();
    if (fails === undefined) {
      for (const { own, members } of this.#groupsFor(requirement)) if (holds(own)) for (const member of members) addBit(found, member);
    } else for (const { own, members } of fails) if (!holds(own)) for (const member of members) removeBit(found, member);
    return found;
  }

  /**
   * The groups that may not meet a requirement which excludes a few values and nothing else, where owners all list
   * theirs; undefined for other requirements.
   */
  #groupsFailing({ key, values }: Requirement): Iterable<LabelGroup> | undefined {
    const { groups, byValue } = this.#labelOf(key);
    if (byValue === undefined || values.kind === 'in' || values.gte !== undefined || values.lte !== undefined) return undefined;
    return values.values.size >= groups.length ? undefined : this.#groupsListing(values.values, byValue);
  }

  #groupsListing(values: ReadonlySet<string>, byValue: NonNullable<Label['byValue']>): Iterable<LabelGroup> {
    const found = new Set<LabelGroup>();
    for (const value of values) for (const group of byValue.get(value) ?? []) found.add(group);
    return found;
  }

  /**
   * The groups that may share a value with the requirement: for a few values, and owners that all list theirs, the
   * groups that list one of these.
   */
  #groupsFor({ key, values }: Requirement): Iterable<LabelGroup> {
    const { groups, byValue } = this.#labelOf(key);
    if (byValue === undefined || values.kind !== 'in' || values.values.size >= groups.length) return groups;
    return this.#groupsListing(values.values, byValue);
  }

  #labelOf(key: string): Label {
    return this.#stated.has(key) ? this.#statedLabel(key) : UNSTATED;
  }

  readonly #statedLabel = memoByKey((key: string): Label => {
    const groups = groupsOf(this.#owners, key);
    const byValue = groupsByValue(groups);
    return { groups, byValue, values: byValue && new Set(byValue.keys()), listing: listingOf(groups, this.#owners.length) };
  });
}
