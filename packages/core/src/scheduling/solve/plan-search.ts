import { getOrMake, identities, ROUNDING } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { NodePoolView } from '../../cluster/index.ts';
import type { PodSet, PodClass } from '../pod-classes/pod-class.ts';
import type { Improve } from '../packing/repacking.ts';
import { nodeCost, priceOf } from '../packing/unit-prices.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import { missingVariety } from '../nodes/fit.ts';
import { byPreference } from '../nodes/node-template.ts';
import type { Topology } from '../topology/topology.ts';
import { leavesFewer, mergedUnplaced, ofPods, solvingAfresh } from './solve-retries.ts';
import { isMeetable } from './preference-placement.ts';
import { leftOverLed, orderWithFirst, twoChanges, ways } from './plan-variants.ts';
import type { VariantMove, Variant } from './plan-variants.ts';
import { weightRelaxed } from './relaxed-weights.ts';
import type { UnplacedPods, Places, Question, Solution } from './solve.ts';
import { podCountOf } from '../pod-classes/pod-class.ts';
import { sumOfNodes } from '../nodes/new-nodes/new-node.ts';

/** Plans of more pods are not searched: each variant costs a whole solve, and packing has more to choose from. */
const MOST_PODS = 150;

/**
 * How many pods all variants of one question may place together: about a fifth of a second. Each variant counts as so
 * many pods more.
 */
const MOST_PLACED = 12_000;
const PODS_OF_A_VARIANT = 20;

/** So much search for devices counts as one pod more: it takes as long. */
const DEVICE_WORK_A_POD = 4;

/**
 * How many more pods the last search may place, which starts where the others ended. There each variant counts as more
 * pods by half of the instance types too: over a whole catalog few variants are worth their time.
 */
const MOST_PLACED_LAST = 3000;
const TYPES_A_POD = 2;

/** Of pods with more ORed terms it is not asked whether any node could take them. */
const MOST_TERMS = 16;

/** How many variants that left more pods over are tried again. */
const MOST_RETRIED = 12;

/**
 * How much all variants of one question may be packed, in pods times instance types: about a tenth of a second too.
 * Packing takes most of the time, and some of it for each type however few the pods are, which counts as so many pods
 * more.
 */
const MOST_PACKED = 300_000;
const PODS_OF_A_PACKING = 20;

/**
 * A variant is packed only if its first fit costs at most so many times that of the best so far. Packing takes most
 * of the time.
 */
const PROMISING = 1.25;

interface Plan extends Variant {
  readonly solution: Solution;
  readonly newNodes: readonly NewNode[];
  /** The weight of the preferences that pods do not have. */
  readonly relaxedWeight: number;
}

/** A variant that cost less than the best plan then, and left more pods over. */
interface CheapVariant {
  readonly variant: Variant;
  readonly unplacedClasses: ReadonlySet<PodClass>;
  readonly podsLeft: number;
  readonly costPerHour: number;
}

const podsLeftIn = (unplaced: readonly UnplacedPods[]): number => unplaced.reduce((total, { count }) => total + count, 0);

/** Whether the plan for the question is searched. */
export const isSearched = ({ podSets }: Pick<Question, 'podSets'>): boolean => podCountOf(podSets) <= MOST_PODS;

/** The pod sets that have more pods left over than in the best plan. */
const podSetsLeftOver = (unplaced: readonly UnplacedPods[], best: readonly UnplacedPods[]): readonly PodSet[] =>
  unplaced
    .filter(({ podSet, count }) => !best.some((other) => other.podSet === podSet && count <= other.count))
    .map(({ podSet }) => podSet);

/**
 * The unplaced pods that no node could take, existing or new, whatever else is placed. Takes back all placements. Pods
 * with device claims are never among them: they decide how large the nodes of others are.
 */
function* findingHopeless(unplaced: readonly UnplacedPods[], places: Places): Steps<readonly UnplacedPods[]> {
  places.existing.rollBack();
  const hopeless: UnplacedPods[] = [];
  for (const unplacedPods of ofPods(unplaced)) {
    const { podClass } = unplacedPods.podSet;
    const { devices, problem, unknownResource, terms } = podClass;
    const isUnread = problem !== undefined || unknownResource !== undefined;
    const isUnmeetable = (): boolean => terms.length <= MOST_TERMS && terms.every((term) => !isMeetable(podClass, term, places));
    if (devices === undefined && (isUnread || isUnmeetable())) hopeless.push(unplacedPods);
    yield;
  }
  return hopeless;
}

/** Whether no pod set has more pods left over, so that both answer for the same pods. */
const placesTheSame = (unplaced: readonly UnplacedPods[], best: readonly UnplacedPods[]): boolean =>
  podSetsLeftOver(unplaced, best).length === 0;

/** Pool → how many steps of preference it stands below the first pools. */
const ranksOf = ({ templates }: Places): ReadonlyMap<NodePoolView, number> => {
  const ranks = new Map<NodePoolView, number>();
  let [rank, last] = [0, templates[0]?.pool];
  for (const { pool } of templates) {
    if (last !== undefined && byPreference(last, pool) !== 0) rank++;
    last = pool;
    ranks.set(pool, rank);
  }
  return ranks;
};

/** Looks for plans that place more pods or cost less, from neighbour to neighbour. */
class PlanSearch {
  /** How many more pods may be placed. */
  #effort = MOST_PLACED;
  /** As how many pods more each variant counts. */
  #podsOfVariant: number;
  /** How many more pods times instance types may be packed. */
  #packing = MOST_PACKED;
  readonly #places: Places;
  readonly #question: Question;
  readonly #improve: Improve;
  readonly #ranks: ReadonlyMap<NodePoolView, number>;
  /** How many instance types all templates have together. */
  readonly #types: number;
  #costOfPacking: number;
  readonly #seen = new Set<string>();
  readonly #cheap: CheapVariant[] = [];
  /** Pods that no variant could place: they are part of none. */
  #hopeless: readonly UnplacedPods[] = [];
  /** Pod classes and terms by number. */
  readonly #numberOf = identities();
  /** Variants share most of their pod sets. */
  readonly #texts = new WeakMap<PodSet, string>();

  constructor(places: Places, question: Question, { first, improve }: SearchStart) {
    this.#places = places;
    this.#question = question;
    this.#improve = improve;
    // Each variant searches for devices about as much as the first fit did.
    this.#podsOfVariant = PODS_OF_A_VARIANT + first.deviceWork / DEVICE_WORK_A_POD;
    this.#ranks = ranksOf(places);
    this.#types = places.templates.reduce((total, { catalog }) => total + catalog.types.length, 0);
    this.#costOfPacking = this.#types * (PODS_OF_A_PACKING + podCountOf(question.podSets));
  }

  /** Whether not even one variant may be placed. */
  get isTooDear(): boolean {
    return podCountOf(this.#question.podSets) + this.#podsOfVariant > this.#effort;
  }

  /** The best plan that one of the ways leads to, or the last searches from there. */
  *searchingBest(asked: Plan): Steps<Plan> {
    this.#hopeless = yield* findingHopeless(asked.solution.unplaced, this.#places);
    this.#costOfPacking -= this.#types * podsLeftIn(this.#hopeless);
    const first = { ...asked, podSets: asked.podSets.filter((podSet) => !this.#isHopeless(podSet)) };
    if (first.newNodes.length === 0 && this.#hopefulIn(first.solution.unplaced).length === 0) return first;
    let best: Plan = first;
    for (const moves of ways) {
      const found = yield* this.#climbing(first, moves);
      if (this.#isBetter(found, best)) best = found;
    }
    this.#effort = MOST_PLACED_LAST;
    this.#podsOfVariant += this.#types / TYPES_A_POD;
    return yield* this.#rescuing(yield* this.#climbing(best, [() => this.#retried(best), twoChanges, ...(ways[0] ?? [])]));
  }

  /** A plan that leaves fewer over of the pods that the searches found no place for, searched further; the same if there is none. */
  *#rescuing(best: Plan): Steps<Plan> {
    this.#effort = MOST_PLACED_LAST;
    const rescued = yield* this.#climbing(best, [leftOverLed]);
    return rescued === best ? best : yield* this.#climbing(rescued, ways[0] ?? []);
  }

  /** The cheap variants with the pods that lacked a place first: fewest such pods first, then the cheapest. */
  #retried({ solution }: Plan): readonly Variant[] {
    const most = sumOfNodes(solution.newNodes, nodeCost) - ROUNDING;
    return this.#cheap
      .filter(({ costPerHour }) => costPerHour < most)
      .toSorted((a, b) => a.podsLeft - b.podsLeft || a.costPerHour - b.costPerHour)
      .slice(0, MOST_RETRIED)
      .map(({ variant, unplacedClasses }) => ({ ...variant, podSets: orderWithFirst(unplacedClasses, variant.podSets) }));
  }

  /** Tries one kind of move after the other, from the first again when one has helped, until none of them does. */
  *#climbing(first: Plan, moves: readonly VariantMove[]): Steps<Plan> {
    let best = first;
    for (let at = 0; at < moves.length && this.#effort > 0;) {
      const better = yield* this.#findingBetter(best, moves[at]);
      at = better === undefined ? at + 1 : 0;
      best = better ?? best;
    }
    return best;
  }

  /** Whether the plan leaves fewer pods over, or the same pods at less cost and with no less of what users prefer. */
  #isBetter(plan: Plan, best: Plan): boolean {
    const [left, leftBest] = [plan.solution.unplaced, best.solution.unplaced];
    if (leavesFewer(left, leftBest)) return true;
    if (plan.relaxedWeight > best.relaxedWeight || !placesTheSame(left, leftBest)) return false;
    const costsLess = sumOfNodes(plan.newNodes, nodeCost) < sumOfNodes(best.newNodes, nodeCost) - ROUNDING;
    if (!costsLess || sumOfNodes(plan.newNodes, priceOf) > sumOfNodes(best.newNodes, priceOf) + ROUNDING) return false;
    return (
      this.#demotions(plan.newNodes) <= this.#demotions(best.newNodes) &&
      this.#missingVariety(plan.newNodes) <= this.#missingVariety(best.newNodes)
    );
  }

  *solving({ isOutOfOrder = false, ...variant }: Variant, shouldStop = this.#question.shouldStop): Steps<Solution> {
    const solution = yield* solvingAfresh(this.#places, { ...this.#question, ...variant, shouldStop });
    const unplaced = mergedUnplaced([...solution.unplaced, ...this.#hopeless], this.#question.podSets);
    return { ...solution, isOutOfOrder, unplaced };
  }

  #isHopeless({ podClass, isBuffer }: PodSet): boolean {
    return isBuffer !== true && this.#hopeless.some(({ podSet }) => podSet.podClass === podClass);
  }

  /** Those that some variant may place. */
  #hopefulIn(unplaced: readonly UnplacedPods[]): readonly UnplacedPods[] {
    return ofPods(unplaced).filter(({ podSet }) => !this.#isHopeless(podSet));
  }

  /** The weight of the preferences that the pods do not have in the end. Read it before anything else is placed. */
  relaxedBy(solution: Solution): number {
    return weightRelaxed(this.#places, solution, this.#question.podSets);
  }

  get #topology(): Topology | undefined {
    return this.#places.withTopology?.topology;
  }

  /** The first better plan that a move leads to. */
  *#findingBetter(best: Plan, move: VariantMove | undefined): Steps<Plan | undefined> {
    const pods = best.podSets.filter(({ isBuffer }) => isBuffer !== true);
    const buffers = best.podSets.filter(({ isBuffer }) => isBuffer === true);
    const from = {
      variant: { ...best, podSets: pods },
      unplaced: this.#hopefulIn(best.solution.unplaced),
      newNodes: best.newNodes,
      templates: this.#places.templates,
      topology: this.#topology,
    };
    for (const neighbour of move?.(from) ?? []) {
      const variant = { ...neighbour, podSets: [...neighbour.podSets, ...buffers] };
      if (!this.#isNew(variant)) continue;
      this.#effort -= podCountOf(variant.podSets) + this.#podsOfVariant;
      if (this.#effort < 0 || this.#question.shouldStop()) return undefined;
      const plan = yield* this.#trying(variant, best);
      if (plan !== undefined) return plan;
    }
    return undefined;
  }

  /** The same for pod sets that may stand in for each other: pods of one class and the same terms are equal. */
  #textOf(podSet: PodSet): string {
    const { podClass, terms = podClass.terms, pods } = podSet;
    return getOrMake(this.#texts, podSet, () => [podClass, ...terms].map(this.#numberOf).concat(pods.length).join('.'));
  }

  /** Whether the variant was not tried before. */
  #isNew({ podSets, domainOrder, types, ...rest }: Variant): boolean {
    const { isFrugal = false, isTermByTerm = false, hasSizedNodes = false, isOutOfOrder = false } = rest;
    const texts = podSets.map((podSet) => this.#textOf(podSet));
    const text = [domainOrder, types?.text, isFrugal, isTermByTerm, hasSizedNodes, isOutOfOrder, ...texts].join();
    const isNew = !this.#seen.has(text);
    this.#seen.add(text);
    return isNew;
  }

  /**
   * Keeps a variant that costs less than the best plan for the last search if it leaves more pods over. Virtual pods are
   * no part of it: they are added to every variant.
   */
  #rememberCheap({ solution, ...variant }: Variant & Pick<Plan, 'solution'>, costPerHour: number, best: Plan): void {
    const unplaced = ofPods(solution.unplaced);
    const unplacedClasses = new Set(podSetsLeftOver(unplaced, best.solution.unplaced).map(({ podClass }) => podClass));
    if (unplacedClasses.size === 0) return;
    const podSets = variant.podSets.filter(({ isBuffer }) => isBuffer !== true);
    this.#cheap.push({ variant: { ...variant, podSets }, unplacedClasses, podsLeft: podsLeftIn(unplaced), costPerHour });
  }

  /** How many values of `minValues` pods' nodes lack where these are a preference, added up over pods. */
  #missingVariety(newNodes: readonly NewNode[]): number {
    return newNodes.reduce((total, { fit, podCount }) => total + podCount * missingVariety(fit), 0);
  }

  /** How far down the order of pools pods are, added up: a lower price does not outweigh them. */
  #demotions(newNodes: readonly NewNode[]): number {
    return newNodes.reduce((total, { fit, podCount }) => total + podCount * (this.#ranks.get(fit.state.template.pool) ?? 0), 0);
  }

  /** The plan of the variant; undefined when it is no better. */
  *#trying(variant: Variant, best: Plan): Steps<Plan | undefined> {
    const solution = yield* this.solving(variant);
    const isTorn = this.#question.tearsGroup?.(solution.unplaced) === true;
    return isTorn || this.#question.shouldStop() ? undefined : yield* this.#judging({ ...variant, solution }, best);
  }

  /** The same of a variant that is solved. The places are as its solution filled them. */
  *#judging(variant: Variant & Pick<Plan, 'solution'>, best: Plan): Steps<Plan | undefined> {
    const { solution } = variant;
    const relaxedWeight = this.relaxedBy(solution);
    const { unplaced } = best.solution;
    if (leavesFewer(solution.unplaced, unplaced)) {
      return { ...variant, newNodes: yield* this.#improve(solution), relaxedWeight };
    }
    const [costPerHour, bestPerHour] = [sumOfNodes(solution.newNodes, nodeCost), sumOfNodes(best.solution.newNodes, nodeCost)];
    if (costPerHour < bestPerHour) this.#rememberCheap(variant, costPerHour, best);
    if (this.#packing < this.#costOfPacking) return undefined;
    const isPromising = costPerHour <= PROMISING * bestPerHour;
    if (!isPromising || relaxedWeight > best.relaxedWeight || !placesTheSame(solution.unplaced, unplaced)) return undefined;
    this.#packing -= this.#costOfPacking;
    const newNodes = yield* this.#improve(solution);
    const plan = { ...variant, newNodes, relaxedWeight };
    return this.#isBetter(plan, best) ? plan : undefined;
  }
}

/** What a search begins with. */
export interface SearchStart {
  readonly first: Solution;
  readonly improve: Improve;
  /** See `WhatIfOptions`. */
  readonly isPackedOnly: boolean | undefined;
}

/**
 * The best plan among variants of the first fit. Pod sets are led to other domains, in other orders, on fewer
 * instance types, or around single nodes. Nodes grow for less than a new node costs, and domains are chosen by price
 * instead of count. It mends what placing pod after pod gets wrong in small plans. A variant is better if it leaves
 * fewer pods over, those of higher priority first. With the same pods it must cost less, and relax no more weight of
 * preferences. It puts no more pods in pools of less weight, and keeps the choice that `minValues` require. Virtual
 * pods of CapacityBuffers stay last in every variant.
 *
 * Cost: at most `MOST_PLACED` and `MOST_PLACED_LAST` pods placed, and as many as the latter once more for pods that are
 * left over. The bound holds on every machine, so the same question has the same answer. The places are left as the
 * chosen variant filled them.
 */
export function* searchingPlan(places: Places, question: Question, start: SearchStart): Steps<Pick<Plan, 'solution' | 'newNodes'>> {
  const { first, improve, isPackedOnly = false } = start;
  const solution = { ...first, unplaced: mergedUnplaced(first.unplaced, question.podSets) };
  const newNodes = yield* improve(first);
  const isDone = ofPods(solution.unplaced).length === 0 && newNodes.length === 0;
  if (isDone || isPackedOnly || !isSearched(question) || question.shouldStop()) return { solution, newNodes };
  const search = new PlanSearch(places, question, start);
  if (search.isTooDear) return { solution, newNodes };
  const best = yield* search.searchingBest({
    ...{ podSets: first.order, domainOrder: 'emptiest', isOutOfOrder: first.isOutOfOrder ?? false, hasSizedNodes: question.hasSizedNodes },
    ...{ relaxedWeight: search.relaxedBy(first), solution, newNodes },
  });
  // The time may be up by now; none of the pods of the chosen plan may be left over for that.
  return { newNodes: best.newNodes, solution: yield* search.solving(best, () => false) };
}
