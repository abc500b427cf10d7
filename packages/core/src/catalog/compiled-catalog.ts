import { amountIn } from '../kube/index.ts';
import { addBit, addToGroup, amountAt, compareText, emptyBitSet, itemAt, makingOnce, memoByText, sorting } from '../base/index.ts';
import type { BitSet, Steps } from '../base/index.ts';
import type { Requirement } from '../requirements/index.ts';
import { allocatableGroups, allocatableOf } from './instance-type.ts';
import type { InstanceType, Offering } from './instance-type.ts';
import { LabelColumns } from './label-columns.ts';

/**
 * Types by how much of one resource they have: `atLeast[i]` are the types with `amounts[i]` or more. "Types with at
 * least x" is one binary search, and no walk over types.
 */
export interface ResourceRanks {
  /** Distinct amounts, ascending. */
  readonly amounts: Float64Array;
  readonly atLeast: readonly BitSet[];
}

/** Ranks of the types whose amounts are given, type by type. */
export const resourceRanks = (amountOfType: Float64Array): ResourceRanks => {
  const amounts = Float64Array.from(new Set(amountOfType)).sort();
  const byAmount = Array.from(amountOfType.keys()).sort((a, b) => amountAt(amountOfType, b) - amountAt(amountOfType, a));
  const atLeast: BitSet[] = [];
  const running = emptyBitSet(amountOfType.length);
  let next = 0;
  for (let rank = amounts.length - 1; rank >= 0; rank--) {
    for (; next < byAmount.length && amountOfType[itemAt(byAmount, next)] === amounts[rank]; next++)
      addBit(running, itemAt(byAmount, next));
    atLeast[rank] = running.slice();
  }
  return { amounts, atLeast };
};

/** Index of the smallest amount that is `wanted` or more; `amounts.length` when all are smaller. */
export const rankOf = ({ amounts }: ResourceRanks, wanted: number): number => {
  let low = 0;
  let high = amounts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (amountAt(amounts, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * A list of instance types as columns: bit sets instead of maps, so that a filter is a few ANDs. Types are numbered
 * by name and offerings by price (then type, zone, capacity type), whatever order they came in. The first offering of
 * a set is its cheapest.
 */
export interface CompiledCatalog {
  readonly types: readonly InstanceType[];
  readonly offerings: readonly Offering[];
  /** Numbers of the types of one name, for each name with several: the sizes in which offerings give it. */
  readonly sizesOfType: readonly (readonly number[])[];
  /** Offering → number of its type. */
  readonly typeOfOffering: Int32Array;
  readonly availableOfferings: BitSet;
  /** Types whose own requirement shares a value with this one; a type that does not know the key is among them. */
  readonly typesMeeting: (requirement: Requirement) => BitSet;
  /** Offerings whose own requirement shares a value with this one; an offering that does not know the key is among them. */
  readonly offeringsMeeting: (requirement: Requirement) => BitSet;
  /** Types that state the key, and only values that meet the requirement. */
  readonly typesImplying: (requirement: Requirement) => BitSet;
  /** Offerings that state the key, and only values that meet the requirement. */
  readonly offeringsImplying: (requirement: Requirement) => BitSet;
  /** Value of a label → the types that list it. */
  readonly typesListing: (key: string) => ReadonlyMap<string, BitSet>;
  /** Value of a label → the offerings that list it. */
  readonly offeringsListing: (key: string) => ReadonlyMap<string, BitSet>;
  /** Every value that a machine may have for the label; undefined where they are not all listed. */
  readonly valuesOf: (key: string) => ReadonlySet<string> | undefined;
  /** Whether some type or offering says anything about the label. */
  readonly states: (key: string) => boolean;
  /** Label keys that distinguish offerings. */
  readonly offeringKeys: ReadonlySet<string>;
  readonly ranksOf: (resource: string) => ResourceRanks;
  /** Type → how much pods can have of a resource. */
  readonly amountsOf: (resource: string) => Float64Array;
}

interface NumberedOffering {
  readonly offering: Offering;
  readonly type: number;
}

const byPrice = (a: NumberedOffering, b: NumberedOffering): number =>
  a.offering.pricePerHour - b.offering.pricePerHour ||
  a.type - b.type ||
  compareText(a.offering.zone, b.offering.zone) ||
  compareText(a.offering.capacityType, b.offering.capacityType) ||
  compareText(a.offering.reservation?.id ?? '', b.offering.reservation?.id ?? '');

/** Machines have few resources. Whoever may write Nodes names others. */
const MOST_RESOURCES = 1024;

const sizesOf = (types: readonly InstanceType[]): readonly (readonly number[])[] => {
  const byName = new Map<string, number[]>();
  types.forEach(({ name }, number) => {
    addToGroup(byName, name, number);
  });
  return [...byName.values()].filter(({ length }) => length > 1);
};

function* compiling(instanceTypes: readonly InstanceType[]): Steps<CompiledCatalog> {
  const types = instanceTypes.flatMap(allocatableGroups).sort((a, b) => compareText(a.name, b.name));
  yield;
  const unsorted = types.flatMap((type, index) => type.offerings.map((offering) => ({ offering, type: index })));
  const numbered = yield* sorting(unsorted, byPrice);
  const offerings = numbered.map(({ offering }) => offering);
  const availableOfferings = emptyBitSet(offerings.length);
  offerings.forEach((offering, index) => {
    if (offering.isAvailable) addBit(availableOfferings, index);
  });
  yield;
  const [ofTypes, ofOfferings] = [new LabelColumns(types), new LabelColumns(offerings)];
  const offeringKeys = new Set(offerings.flatMap((offering) => [...offering.requirements.keys()]));
  // What thousands of offerings say about a label takes milliseconds to be read, and is remembered.
  for (const key of offeringKeys) {
    yield;
    ofOfferings.listing(key);
  }
  const amountsOf = memoByText((resource) => Float64Array.from(types, (type) => amountIn(allocatableOf(type), resource)), MOST_RESOURCES);
  return {
    types,
    offerings,
    sizesOfType: sizesOf(types),
    typeOfOffering: Int32Array.from(numbered, ({ type }) => type),
    availableOfferings,
    typesMeeting: (requirement) => ofTypes.meeting(requirement),
    offeringsMeeting: (requirement) => ofOfferings.meeting(requirement),
    typesImplying: (requirement) => ofTypes.implying(requirement),
    offeringsImplying: (requirement) => ofOfferings.implying(requirement),
    typesListing: (key) => ofTypes.listing(key),
    offeringsListing: (key) => ofOfferings.listing(key),
    valuesOf: (key) => ofOfferings.valuesOf(key) ?? ofTypes.valuesOf(key),
    states: (key) => ofOfferings.states(key) || ofTypes.states(key),
    offeringKeys,
    ranksOf: memoByText((resource) => resourceRanks(amountsOf(resource)), MOST_RESOURCES),
    amountsOf,
  };
}

let compiled = new WeakMap<readonly InstanceType[], CompiledCatalog>();

/**
 * Forgets all catalogs, with what is remembered of each; plans under way keep theirs. For when memory is short: the
 * next plan compiles again what it needs.
 */
export const forgetCompiledCatalogs = (): void => {
  compiled = new WeakMap();
};

/** The compiled form of a list of instance types; remembered by the identity of the list, which providers keep stable. */
export const compilingCatalog = (instanceTypes: readonly InstanceType[]): Steps<CompiledCatalog> =>
  makingOnce(compiled, instanceTypes, compiling);
