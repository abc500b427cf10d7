import type { Steps } from '../../base/index.ts';
import type { Demand } from '../classes/demand.ts';
import { nodeCost, priceOf } from '../packing/node-cost.ts';
import type { Draft } from '../places/drafts/draft.ts';
import type { Checks } from '../topology/checks.ts';
import type { DomainOrder } from '../topology/domain-table.ts';
import type { Topology } from '../topology/topology.ts';
import { ledTo, withLabel } from './led-demand.ts';
import { solvingAfresh } from './solve-afresh.ts';
import type { Leftover, Places, Question, Solution } from './solve.ts';

/** Plans of more pods are not searched: each variant costs a whole solve, and packing has more to choose from. */
const MOST_PODS = 150;

/** How many pods all variants of one question may place together: about a tenth of a second. */
const MOST_PLACED = 4_000;

/** A variant is packed only if its first fit costs at most so many times that of the best so far: packing takes most of the time. */
const PROMISING = 1.25;

/** Prices that differ by less are sums of the same numbers in another order. */
const TOLERANCE = 1e-9;

/** Pod groups, some of them led to one domain, and the order in which domains are tried. */
interface Variant {
  readonly demands: readonly Demand[];
  readonly domainOrder: DomainOrder;
}

/** A variant with its plan. */
interface Plan extends Variant {
  readonly solution: Solution;
  readonly drafts: readonly Draft[];
  readonly leftOver: ReadonlyMap<Demand['podClass'], number>;
}

const requiredOf = ({ podClass }: Demand): Checks | undefined => podClass.topology?.required;

/** Constraints about other pods that read the same domains tie pod groups together. */
const groupsOf = (demand: Demand): readonly unknown[] => {
  const required = requiredOf(demand);
  if (required === undefined) return [];
  return [...required.wide.affinity.flatMap(({ groups }) => groups), ...required.wide.spreads.map(({ group }) => group)];
};

/** The pod group alone, and with all that its constraints tie it to, led to each domain of each key that it reads. */
function* ledVariants(demand: Demand, { demands }: Variant, topology: Topology): Iterable<readonly Demand[]> {
  const groups = groupsOf(demand);
  const isTied = (other: Demand): boolean => groupsOf(other).some((group) => groups.includes(group));
  for (const key of requiredOf(demand)?.keys ?? []) {
    const tied = new Set(demands.filter((other) => other !== demand && isTied(other) && requiredOf(other)?.keys.includes(key)));
    const label = topology.domains.keys[key] ?? '';
    for (const value of topology.valuesOf(key)) {
      const where = withLabel(label, value);
      yield demands.map((each) => (each === demand ? ledTo(each, where) : each));
      if (tied.size > 0) yield demands.map((each) => (each === demand || tied.has(each) ? ledTo(each, where) : each));
    }
  }
}

/** What differs from the variant in one respect. */
function* neighboursOf(variant: Variant, topology: Topology): Iterable<Variant> {
  const { demands, domainOrder } = variant;
  yield { demands, domainOrder: domainOrder === 'emptiest' ? 'cheapest' : 'emptiest' };
  for (const demand of demands) {
    for (const led of ledVariants(demand, variant, topology)) yield { domainOrder, demands: led };
  }
}

const sum = (drafts: readonly Draft[], of: (fit: Draft['fit']) => number): number => drafts.reduce((total, { fit }) => total + of(fit), 0);

const countsOf = (leftovers: readonly Leftover[]): Plan['leftOver'] => {
  const counts = new Map<Demand['podClass'], number>();
  for (const { demand, count } of leftovers) counts.set(demand.podClass, (counts.get(demand.podClass) ?? 0) + count);
  return counts;
};

/**
 * Whether the solution leaves no pod over that the plan places, so that both answer for the same pods. A pod that was led to a domain must have its
 * place: the reason of its rejection would name that domain.
 */
const placesAsMany = ({ leftovers }: Solution, { leftOver }: Plan): boolean =>
  leftovers.every(({ demand }) => demand.rungs === undefined) &&
  [...countsOf(leftovers)].every(([podClass, count]) => count <= (leftOver.get(podClass) ?? 0));

/** A pod group that stands in the order twice has its first pods in front: which of them are left over could not be told by their count. */
const isSplit = (demands: readonly Demand[]): boolean => new Set(demands.map(({ podClass }) => podClass)).size < demands.length;

/** Whether the pods would rather be elsewhere than anywhere their requirements allow: untainted nodes are a preference too. */
const hasPreferences = ({ podClass: { preferences, levels } }: Demand): boolean => preferences.length > 0 || levels.length > 1;

const podsOf = (demands: readonly Demand[]): number => demands.reduce((total, { pods }) => total + pods.length, 0);

const isSearchable = ({ demands }: Variant, topology: Topology | undefined): topology is Topology =>
  topology !== undefined && podsOf(demands) <= MOST_PODS && !isSplit(demands) && !demands.some(hasPreferences);

/** How a plan is made of a first fit. */
export type Improve = (solution: Solution) => Steps<readonly Draft[]>;

/** Looks for plans that cost less, from neighbour to neighbour. */
class DomainSearch {
  /** How many more pods may be placed. */
  #effort = MOST_PLACED;
  readonly #places: Places;
  readonly #question: Question;
  readonly #improve: Improve;

  constructor(places: Places, question: Question, improve: Improve) {
    this.#places = places;
    this.#question = question;
    this.#improve = improve;
  }

  *best(first: Plan, topology: Topology): Steps<Plan> {
    let best = first;
    for (let next: Plan | undefined = first; next !== undefined;) {
      best = next;
      next = yield* this.#better(best, topology);
    }
    return best;
  }

  *solving({ demands, domainOrder }: Variant): Steps<Solution> {
    return yield* solvingAfresh(this.#places, { ...this.#question, demands, domainOrder });
  }

  *#better(best: Plan, topology: Topology): Steps<Plan | undefined> {
    for (const variant of neighboursOf(best, topology)) {
      this.#effort -= podsOf(variant.demands);
      if (this.#effort < 0 || this.#question.shouldStop()) return undefined;
      const plan = yield* this.#trying(variant, best);
      if (plan !== undefined) return plan;
    }
    return undefined;
  }

  /** The plan of the variant; undefined when it leaves more pods over or is not cheaper. */
  *#trying(variant: Variant, best: Plan): Steps<Plan | undefined> {
    const solution = yield* this.solving(variant);
    const isPromising = sum(solution.drafts, nodeCost) <= PROMISING * sum(best.solution.drafts, nodeCost);
    if (!isPromising || !placesAsMany(solution, best)) return undefined;
    const drafts = yield* this.#improve(solution);
    const costsLess = sum(drafts, nodeCost) < sum(best.drafts, nodeCost) - TOLERANCE;
    if (!costsLess || sum(drafts, priceOf) > sum(best.drafts, priceOf) + TOLERANCE) return undefined;
    return { ...variant, solution, drafts, leftOver: countsOf(solution.leftovers) };
  }
}

/**
 * The cheapest plan among variants of the first fit: pod groups with topology constraints led to other domains, and domains by price instead of by
 * count. It mends what placing pod after pod gets wrong in small plans: the first pod of a group chooses a zone in which the rest of
 * the group is dear. No variant leaves a pod over that the first fit places. Searched only where no pod has preferences: a plan that honours fewer
 * could cost less.
 *
 * Cost: at most `MOST_PLACED` pods placed, whatever the machine, so the same question has the same answer. The places are left as the chosen
 * variant filled them.
 */
export function* solvingForPrice(
  places: Places,
  question: Question,
  { first, improve }: { readonly first: Solution; readonly improve: Improve },
): Steps<Pick<Plan, 'solution' | 'drafts'>> {
  const topology = places.withTopology?.topology;
  const start: Plan = {
    demands: first.order,
    domainOrder: 'emptiest',
    solution: first,
    drafts: yield* improve(first),
    leftOver: countsOf(first.leftovers),
  };
  if (start.drafts.length === 0 || !isSearchable(start, topology)) return start;
  const search = new DomainSearch(places, question, improve);
  const best = yield* search.best(start, topology);
  return { drafts: best.drafts, solution: yield* search.solving(best) };
}
