import { addAt, addToGroup, amountAt, getOrMake, idAt, itemAt, memoByObject } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';
import type { EqualTerms } from '../pod-classes/node-term.ts';
import type { NewNode, Run } from '../nodes/new-nodes/new-node.ts';
import type { Checks, Group } from '../topology/group.ts';
import { needsOn } from '../nodes/existing-nodes/roomy-nodes.ts';
import { hostRulesOf } from './host-rules.ts';
import type { HostRules } from './host-rules.ts';

/** Pods of one class to pack again, on any of the terms that suit them as well as the one they were placed by. */
export interface PodBatch {
  readonly podClass: PodClass;
  readonly terms: EqualTerms;
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
type Placing = Pick<PodBatch, 'terms' | 'checks'>;

const isSameSet = (a: EqualTerms, b: EqualTerms): boolean => a === b || (a.length === 1 && b.length === 1 && a[0] === b[0]);

/** The terms of a batch as a key. */
export const termsText = ({ terms }: PodBatch): string => terms.map(({ text }) => text).join('\n\n');

const podBatchOf = (podClass: PodClass, { terms, checks }: Placing, count: number): PodBatch => {
  const { resourceIds, amounts } = needsOn(podClass, () => false);
  const host = podClass.topology && checks && hostRulesOf(podClass.topology, checks);
  return { podClass, terms, checks, count, resourceIds, amounts, host };
};

/** How many pods of a class were placed in one way. */
interface PlacedPods {
  readonly placing: Placing;
  count: number;
}

const addPlaced = (ofClass: PlacedPods[], terms: EqualTerms, { checks, count }: Run): void => {
  for (const known of ofClass) {
    if (known.placing.checks !== checks || !isSameSet(known.placing.terms, terms)) continue;
    known.count += count;
    return;
  }
  ofClass.push({ placing: { terms, checks }, count });
};

/** Runs that are read, and batches that are made, between two pauses: some milliseconds where hardly two pods are alike. */
const BATCHES_A_STEP = 2048;

/** Everything on the nodes, equal pods together, in the order in which they were placed first. */
export function* gatheringPodBatches(newNodes: readonly NewNode[]): Steps<readonly PodBatch[]> {
  const byClass = new Map<PodClass, PlacedPods[]>();
  let pauseIn = BATCHES_A_STEP;
  for (const { runs } of newNodes) {
    pauseIn -= runs.length;
    if (pauseIn <= 0) {
      yield;
      pauseIn = BATCHES_A_STEP;
    }
    for (const run of runs) {
      const { podClass, term } = run;
      let ofClass = byClass.get(podClass);
      if (ofClass === undefined) byClass.set(podClass, (ofClass = []));
      addPlaced(ofClass, podClass.equalTerms.get(term) ?? [term], run);
    }
  }
  const batches: PodBatch[] = [];
  for (const [podClass, ofClass] of byClass)
    for (const { placing, count } of ofClass) if (batches.push(podBatchOf(podClass, placing, count)) % BATCHES_A_STEP === 0) yield;
  return batches;
}

const noGroups: ReadonlySet<Group> = new Set();

/** Remembered: asked for each pair of batches. */
const loneGroupsIn = memoByObject((host: HostRules): ReadonlySet<Group> => {
  const spreads = host.spreads.filter(({ maxSkew }) => maxSkew === 1).map(({ group }) => group);
  const counting = new Set(host.countedBy);
  return new Set([...host.antiAffinity, ...spreads].filter((group) => counting.has(group)));
});

/** Groups that keep the pods of a batch off each other. */
const loneGroupsOf = ({ host }: PodBatch): ReadonlySet<Group> => (host === undefined ? noGroups : loneGroupsIn(host));

/** Whether no two of these pods may share a node and none has a choice of terms. Then packing them again changes nothing. */
export const areApart = (batches: readonly PodBatch[]): boolean => {
  const [first, ...others] = batches;
  if (first === undefined || batches.some(({ terms }) => terms.length > 1)) return false;
  return [...loneGroupsOf(first)].some((group) => others.every((batch) => loneGroupsOf(batch).has(group)));
};

/** The group with the most pods that each want a node without the others; undefined when there is none. */
const loneliest = (batches: readonly PodBatch[]): Group | undefined => {
  const pods = new Map<Group, number>();
  for (const batch of batches) for (const group of loneGroupsOf(batch)) pods.set(group, (pods.get(group) ?? 0) + batch.count);
  return [...pods].reduce<readonly [Group, number] | undefined>(
    (most, each) => (most === undefined || each[1] > most[1] ? each : most),
    undefined,
  )?.[0];
};

/**
 * The batches with one more resource, `seat`. Each node has one, and each pod of the largest group whose pods share no
 * node wants one. It gets a price like any other resource, so that nodes are bought in the size at which there are
 * enough of them.
 */
export const withSeats = (batches: readonly PodBatch[], seat: number): readonly PodBatch[] => {
  const group = loneliest(batches);
  if (group === undefined) return batches;
  return batches.map((batch) =>
    loneGroupsOf(batch).has(group)
      ? { ...batch, resourceIds: Int32Array.of(...batch.resourceIds, seat), amounts: Float64Array.of(...batch.amounts, 1) }
      : batch,
  );
};

/** Batch numbers, and how many pods there are of each. */
interface BatchCounts {
  readonly numbers: readonly number[];
  readonly counts: readonly number[];
}

/** The pods of a new node, as runs. */
export const podsIn = (
  { numbers, counts }: BatchCounts,
  batches: readonly PodBatch[],
): { readonly runs: Run[]; readonly podCount: number } => ({
  runs: numbers.map((number, i) => {
    const { podClass, terms, checks } = itemAt(batches, number);
    return { podClass, term: itemAt(terms, 0), checks, count: itemAt(counts, i) };
  }),
  podCount: counts.reduce((sum, count) => sum + count, 0),
});

/** Resource → what batches want together. */
export const totalsOf = (batches: readonly PodBatch[], counts: Float64Array, resourceCount: number): Float64Array => {
  const totals = new Float64Array(resourceCount);
  batches.forEach(({ resourceIds, amounts }, index) => {
    for (let i = 0; i < resourceIds.length; i++) {
      addAt(totals, idAt(resourceIds, i), amountAt(amounts, i) * amountAt(counts, index));
    }
  });
  return totals;
};

/**
 * Numbers the sets of terms that batches may be placed by: batches with equal sets share a number. The text of a set is
 * made once.
 */
export class TermSets {
  /** Number → the terms. */
  readonly sets: EqualTerms[] = [];
  readonly #bySet = new Map<EqualTerms, number>();
  readonly #byText = new Map<string, number>();

  numberOf(batch: PodBatch): number {
    return getOrMake(this.#bySet, batch.terms, (terms) => getOrMake(this.#byText, termsText(batch), () => this.sets.push(terms) - 1));
  }
}

/**
 * Batches of about the same size and proportions, the largest first: to fill a node, only the first that fits is tried.
 */
export interface SizeClass {
  /** Batches with something left. */
  readonly numbers: readonly number[];
  /** Resources that each of them wants, and the least that any wants of it. */
  readonly resourceIds: Int32Array;
  readonly least: Float64Array;
  /** The terms that each of them may be placed by, as a number of `SizeClasses.termSets`. */
  readonly termSet: number;
}

const CPU = 0;
const MEMORY = 1;

/** How many steps a doubling of size, or of proportion, is divided into. */
const SIZE_STEPS = 1;
const PROPORTION_STEPS = 2;

const amountOf = ({ resourceIds, amounts }: PodBatch, resource: number): number => {
  const at = resourceIds.indexOf(resource);
  return at < 0 ? 0 : amountAt(amounts, at);
};

const shareOf = (batch: PodBatch, resource: number, totals: Float64Array): number =>
  amountOf(batch, resource) / Math.max(1, amountAt(totals, resource));

const sizeOf = ({ resourceIds, amounts }: PodBatch, totals: Float64Array): number => {
  let size = 0;
  for (let i = 0; i < resourceIds.length; i++) size += amountAt(amounts, i) / Math.max(1, amountAt(totals, idAt(resourceIds, i)));
  return size;
};

const leastOf = (batches: readonly PodBatch[], numbers: readonly number[], resourceCount: number): Float64Array => {
  const least = new Float64Array(resourceCount).fill(Number.POSITIVE_INFINITY);
  for (const number of numbers) {
    const { amounts } = itemAt(batches, number);
    for (let i = 0; i < resourceCount; i++) least[i] = Math.min(amountAt(least, i), amountAt(amounts, i));
  }
  return least;
};

/** A size class that can be emptied. */
interface OpenSizeClass extends SizeClass {
  readonly numbers: number[];
}

/** Batches as they are put into size classes for some totals. */
interface Order {
  readonly totals: Float64Array;
  readonly termSets: TermSets;
  readonly sizeClasses: readonly SizeClass[];
}

/**
 * Batch numbers by size class. Batches that ask for other resources, or by other terms, never share one. `sizes`: batch →
 * its size.
 */
function* numberingBySizeClass(
  batches: readonly PodBatch[],
  sizes: Float64Array,
  { totals, termSets }: Omit<Order, 'sizeClasses'>,
): Steps<Iterable<number[]>> {
  const sizeClasses = new Map<string, number[]>();
  for (const [number, batch] of batches.entries()) {
    if (number % BATCHES_A_STEP === BATCHES_A_STEP - 1) yield;
    const size = Math.round(SIZE_STEPS * Math.log2(amountAt(sizes, number)));
    const proportion = (shareOf(batch, MEMORY, totals) + 1e-12) / (shareOf(batch, CPU, totals) + 1e-12);
    const key = `${size} ${Math.round(PROPORTION_STEPS * Math.log2(proportion))} ${batch.resourceIds.join('.')} ${termSets.numberOf(batch)}`;
    addToGroup(sizeClasses, key, number);
  }
  return sizeClasses.values();
}

function* makingSizeClasses(batches: readonly PodBatch[], { totals, termSets }: Omit<Order, 'sizeClasses'>): Steps<readonly SizeClass[]> {
  const sizes = Float64Array.from(batches, (batch) => sizeOf(batch, totals));
  const sizeClasses: SizeClass[] = [];
  let sorted = 0;
  for (const numbers of yield* numberingBySizeClass(batches, sizes, { totals, termSets })) {
    numbers.sort((a, b) => amountAt(sizes, b) - amountAt(sizes, a) || a - b);
    const first = itemAt(batches, itemAt(numbers, 0));
    const { resourceIds } = first;
    const least = leastOf(batches, numbers, resourceIds.length);
    sizeClasses.push({ numbers, resourceIds, least, termSet: termSets.numberOf(first) });
    sorted += numbers.length;
    if (sorted < BATCHES_A_STEP) continue;
    sorted = 0;
    yield;
  }
  return sizeClasses;
}

const orders = new WeakMap<readonly PodBatch[], Order>();

/**
 * Remembered: the same batches are packed in several ways, one after the other. Ten thousand of them take some
 * milliseconds.
 */
export function* ordering(batches: readonly PodBatch[], totals: Float64Array): Steps<Order> {
  const known = orders.get(batches);
  if (known?.totals.every((amount, resource) => amount === totals[resource]) === true) return known;
  const termSets = new TermSets();
  const sizeClasses = yield* makingSizeClasses(batches, { totals, termSets });
  const fresh = { totals: totals.slice(), termSets, sizeClasses };
  orders.set(batches, fresh);
  return fresh;
}

/** What is left of the batches, size class by size class. */
export class SizeClasses {
  readonly termSets: TermSets;
  #all: readonly OpenSizeClass[];
  readonly #sizeClassOf: OpenSizeClass[] = [];

  constructor({ termSets, sizeClasses }: Order) {
    this.termSets = termSets;
    this.#all = sizeClasses.map((sizeClass) => ({ ...sizeClass, numbers: [...sizeClass.numbers] }));
    for (const sizeClass of this.#all) for (const number of sizeClass.numbers) this.#sizeClassOf[number] = sizeClass;
  }

  /** Those with something on them. */
  get all(): readonly SizeClass[] {
    return this.#all;
  }

  /** Takes a batch away that is used up. */
  remove(number: number): void {
    const numbers = this.#sizeClassOf[number]?.numbers;
    if (numbers === undefined) return;
    numbers.splice(numbers.indexOf(number), 1);
    if (numbers.length === 0) this.#all = this.#all.filter((sizeClass) => sizeClass.numbers !== numbers);
  }
}
