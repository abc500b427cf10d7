import { memoByObject } from '../../base/index.ts';
import type { PodClass } from '../classes/pod-class.ts';
import type { EqualRungs } from '../classes/rung.ts';
import type { Draft, Run } from '../places/drafts/draft.ts';
import type { Checks, Group } from '../topology/group.ts';
import { needsOn } from '../places/existing/roomy-nodes.ts';
import { hostRulesOf } from './host-rules.ts';
import type { HostRules } from './host-rules.ts';

/** Pods of one class to pack again, on any of the rungs that suit them as well as the one they were placed by. */
export interface Parcel {
  readonly podClass: PodClass;
  readonly rungs: EqualRungs;
  /** What of the topology was checked when they were placed, and holds wherever they go. */
  readonly checks?: Checks | undefined;
  readonly count: number;
  /**
   * The resources that a pod requests, and the amount of each. One beyond those of the template is the seat of a node.
   * A volume that pods share is counted for each of them. That is more than they take on one node, so a packing that
   * counts it always fits.
   */
  readonly resourceIds: Int32Array;
  readonly amounts: Float64Array;
  readonly host: HostRules | undefined;
}

/** How pods were placed, which they are packed by again. */
type Placing = Pick<Parcel, 'rungs' | 'checks'>;

const isSameSet = (a: EqualRungs, b: EqualRungs): boolean => a === b || (a.length === 1 && b.length === 1 && a[0] === b[0]);

/** The rungs of a parcel as a key. */
export const rungsText = ({ rungs }: Parcel): string => rungs.map(({ text }) => text).join('\n\n');

const parcelOf = (podClass: PodClass, { rungs, checks }: Placing, count: number): Parcel => {
  const { resourceIds, amounts } = needsOn(podClass, () => false);
  const host = podClass.topology && checks && hostRulesOf(podClass.topology, checks);
  return { podClass, rungs, checks, count, resourceIds, amounts, host };
};

/** How many pods of a class were placed in one way. */
interface PlacedPods {
  readonly placing: Placing;
  count: number;
}

const addPlaced = (ofClass: PlacedPods[], rungs: EqualRungs, { checks, count }: Run): void => {
  for (const known of ofClass) {
    if (known.placing.checks !== checks || !isSameSet(known.placing.rungs, rungs)) continue;
    known.count += count;
    return;
  }
  ofClass.push({ placing: { rungs, checks }, count });
};

/** Everything on the nodes, equal pods together, in the order in which they were placed first. */
export const parcelsOf = (drafts: readonly Draft[]): readonly Parcel[] => {
  const byClass = new Map<PodClass, PlacedPods[]>();
  for (const { runs } of drafts) {
    for (const run of runs) {
      const { podClass, rung } = run;
      let ofClass = byClass.get(podClass);
      if (ofClass === undefined) byClass.set(podClass, (ofClass = []));
      addPlaced(ofClass, podClass.equalRungs.get(rung) ?? [rung], run);
    }
  }
  return [...byClass].flatMap(([podClass, ofClass]) => ofClass.map(({ placing, count }) => parcelOf(podClass, placing, count)));
};

const noGroups: ReadonlySet<Group> = new Set();

/** Remembered: asked for each pair of parcels. */
const loneGroupsIn = memoByObject((host: HostRules): ReadonlySet<Group> => {
  const spreads = host.spreads.filter(({ maxSkew }) => maxSkew === 1).map(({ group }) => group);
  return new Set([...host.antiAffinity, ...spreads].filter((group) => host.countedBy.includes(group)));
});

/** Groups that keep the pods of a parcel off each other. */
const loneGroupsOf = ({ host }: Parcel): ReadonlySet<Group> => (host === undefined ? noGroups : loneGroupsIn(host));

/** Whether no two of these pods may share a node and none has a choice of rungs. Then packing them again changes nothing. */
export const areApart = (parcels: readonly Parcel[]): boolean => {
  const [first, ...others] = parcels;
  if (first === undefined || parcels.some(({ rungs }) => rungs.length > 1)) return false;
  return [...loneGroupsOf(first)].some((group) => others.every((parcel) => loneGroupsOf(parcel).has(group)));
};

/** The group with the most pods that each want a node without the others; undefined when there is none. */
const loneliest = (parcels: readonly Parcel[]): Group | undefined => {
  const pods = new Map<Group, number>();
  for (const parcel of parcels) for (const group of loneGroupsOf(parcel)) pods.set(group, (pods.get(group) ?? 0) + parcel.count);
  return [...pods].reduce<readonly [Group, number] | undefined>(
    (most, each) => (most === undefined || each[1] > most[1] ? each : most),
    undefined,
  )?.[0];
};

/**
 * The parcels with one more resource, `seat`. Each node has one, and each pod of the largest group whose pods share no
 * node wants one. It gets a price like any other resource, so that nodes are bought in the size at which there are
 * enough of them.
 */
export const seated = (parcels: readonly Parcel[], seat: number): readonly Parcel[] => {
  const group = loneliest(parcels);
  if (group === undefined) return parcels;
  return parcels.map((parcel) =>
    loneGroupsOf(parcel).has(group)
      ? { ...parcel, resourceIds: Int32Array.of(...parcel.resourceIds, seat), amounts: Float64Array.of(...parcel.amounts, 1) }
      : parcel,
  );
};

/** Resource → what parcels want together. */
export const totalsOf = (parcels: readonly Parcel[], counts: Float64Array, resourceCount: number): Float64Array => {
  const totals = new Float64Array(resourceCount);
  parcels.forEach(({ resourceIds, amounts }, index) => {
    for (let i = 0; i < resourceIds.length; i++) {
      const resource = resourceIds[i] ?? 0;
      totals[resource] = (totals[resource] ?? 0) + (amounts[i] ?? 0) * (counts[index] ?? 0);
    }
  });
  return totals;
};

/**
 * Numbers the sets of rungs that parcels may be placed by: parcels with equal sets share a number. The text of a set is
 * made once.
 */
export class RungSets {
  /** Number → the rungs. */
  readonly sets: EqualRungs[] = [];
  readonly #bySet = new Map<EqualRungs, number>();
  readonly #byText = new Map<string, number>();

  numberOf(parcel: Parcel): number {
    const known = this.#bySet.get(parcel.rungs);
    if (known !== undefined) return known;
    const text = rungsText(parcel);
    const number = this.#byText.get(text) ?? this.sets.push(parcel.rungs) - 1;
    this.#byText.set(text, number);
    this.#bySet.set(parcel.rungs, number);
    return number;
  }
}

/**
 * Parcels of about the same size and proportions, the largest first: to fill a node, only the first that fits is looked at.
 */
export interface Shelf {
  /** Parcels with something left. */
  readonly numbers: readonly number[];
  /** Resources that each of them wants, and the least that any wants of it. */
  readonly resourceIds: Int32Array;
  readonly least: Float64Array;
  /** The rungs that each of them may be placed by, as a number of `Shelves.rungSets`. */
  readonly rungSet: number;
}

const CPU = 0;
const MEMORY = 1;

/** How many steps a doubling of size, or of proportion, is divided into. */
const SIZE_STEPS = 1;
const PROPORTION_STEPS = 2;

const amountOf = ({ resourceIds, amounts }: Parcel, resource: number): number => amounts[resourceIds.indexOf(resource)] ?? 0;

const shareOf = (parcel: Parcel, resource: number, totals: Float64Array): number =>
  amountOf(parcel, resource) / Math.max(1, totals[resource] ?? 0);

const sizeOf = ({ resourceIds, amounts }: Parcel, totals: Float64Array): number => {
  let size = 0;
  for (let i = 0; i < resourceIds.length; i++) size += (amounts[i] ?? 0) / Math.max(1, totals[resourceIds[i] ?? 0] ?? 0);
  return size;
};

const leastOf = (parcels: readonly Parcel[], numbers: readonly number[], resourceCount: number): Float64Array => {
  const least = new Float64Array(resourceCount).fill(Number.POSITIVE_INFINITY);
  for (const number of numbers) {
    const amounts = parcels[number]?.amounts;
    for (let i = 0; i < resourceCount; i++) least[i] = Math.min(least[i] ?? 0, amounts?.[i] ?? Number.POSITIVE_INFINITY);
  }
  return least;
};

/** A shelf that can be emptied. */
interface OpenShelf extends Shelf {
  readonly numbers: number[];
}

/** Parcels as they are put on shelves for some demand. */
interface Order {
  readonly totals: Float64Array;
  readonly rungSets: RungSets;
  readonly shelves: readonly Shelf[];
}

/**
 * Parcel numbers by shelf. Parcels that ask for other resources, or by other rungs, never share one. `sizes`: parcel →
 * its size.
 */
const numbersByShelf = (
  parcels: readonly Parcel[],
  sizes: Float64Array,
  { totals, rungSets }: Omit<Order, 'shelves'>,
): Iterable<number[]> => {
  const shelves = new Map<string, number[]>();
  parcels.forEach((parcel, number) => {
    const size = Math.round(SIZE_STEPS * Math.log2(sizes[number] ?? 0));
    const proportion = (shareOf(parcel, MEMORY, totals) + 1e-12) / (shareOf(parcel, CPU, totals) + 1e-12);
    const key = `${size} ${Math.round(PROPORTION_STEPS * Math.log2(proportion))} ${parcel.resourceIds.join('.')} ${rungSets.numberOf(parcel)}`;
    const shelf = shelves.get(key);
    if (shelf === undefined) shelves.set(key, [number]);
    else shelf.push(number);
  });
  return shelves.values();
};

const shelvesOf = (parcels: readonly Parcel[], { totals, rungSets }: Omit<Order, 'shelves'>): readonly Shelf[] => {
  const sizes = Float64Array.from(parcels, (parcel) => sizeOf(parcel, totals));
  return Array.from(numbersByShelf(parcels, sizes, { totals, rungSets }), (numbers) => {
    numbers.sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0) || a - b);
    const [first] = parcels.slice(numbers[0], (numbers[0] ?? 0) + 1);
    const resourceIds = first?.resourceIds ?? new Int32Array();
    return { numbers, resourceIds, least: leastOf(parcels, numbers, resourceIds.length), rungSet: first ? rungSets.numberOf(first) : 0 };
  });
};

const orders = new WeakMap<readonly Parcel[], Order>();

/**
 * Remembered: the same parcels are packed in several ways, one after the other. Ten thousand of them take some
 * milliseconds.
 */
export const orderOf = (parcels: readonly Parcel[], totals: Float64Array): Order => {
  const known = orders.get(parcels);
  if (known?.totals.every((amount, resource) => amount === totals[resource]) === true) return known;
  const rungSets = new RungSets();
  const fresh = { totals: totals.slice(), rungSets, shelves: shelvesOf(parcels, { totals, rungSets }) };
  orders.set(parcels, fresh);
  return fresh;
};

/** What is left of the parcels, shelf by shelf. */
export class Shelves {
  readonly rungSets: RungSets;
  #all: readonly OpenShelf[];
  readonly #shelfOf: OpenShelf[] = [];

  constructor(parcels: readonly Parcel[], totals: Float64Array) {
    const { rungSets, shelves } = orderOf(parcels, totals);
    this.rungSets = rungSets;
    this.#all = shelves.map((shelf) => ({ ...shelf, numbers: [...shelf.numbers] }));
    for (const shelf of this.#all) for (const number of shelf.numbers) this.#shelfOf[number] = shelf;
  }

  /** Those with something on them. */
  get all(): readonly Shelf[] {
    return this.#all;
  }

  /** Takes a parcel away that is used up. */
  remove(number: number): void {
    const numbers = this.#shelfOf[number]?.numbers;
    if (numbers === undefined) return;
    numbers.splice(numbers.indexOf(number), 1);
    if (numbers.length === 0) this.#all = this.#all.filter((shelf) => shelf.numbers !== numbers);
  }
}
