import { amountAt, idAt, itemAt } from '../../base/index.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';
import type { EqualTerms, NodeTerm } from '../pod-classes/node-term.ts';
import { priceOf, nodeCost } from '../packing/unit-prices.ts';
import type { IncomingPod } from '../nodes/new-nodes/new-node.ts';
import { NewNodeSearch } from '../nodes/new-nodes/new-node-search.ts';
import { NodeSearch } from '../nodes/existing-nodes/node-search.ts';
import type { IncomingTopologyPod } from '../nodes/existing-nodes/node-search.ts';
import type { Fit } from '../nodes/node-model.ts';
import { mayBeFirst } from '../topology/group.ts';
import type { AffinityCheck, Checks } from '../topology/group.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import { findNewNode, limitGrowth, openUncharged } from './topology-placement.ts';
import type { UnchargedNode, TopologyWorkingSet } from './topology-placement.ts';

/** A place for one pod that is found and not taken. */
export interface FoundPlace {
  /** What the plan costs more with the pod there, in dollars an hour. */
  readonly costPerHour: number;
  /**
   * Puts the pod there. Returns the number of the new node that was opened or has changed its state; undefined when
   * there is none.
   */
  readonly take: () => number | undefined;
}

/** Pods of a class, and the preferences, a bit each, that they insist on. */
export interface LevelPods {
  readonly podClass: PodClass;
  readonly classTopology: ClassTopology;
  readonly terms: EqualTerms;
  readonly preferences: number;
  /** Whether only places with room for all pods to come count. */
  readonly isTogether: boolean;
}

interface TermSearch {
  readonly term: NodeTerm;
  readonly nodes: NodeSearch;
  readonly newNodes: NewNodeSearch | undefined;
}

/** The largest share that a pod takes of any resource of the cheapest type, which has room for it. */
const shareOf = ({ resourceIds, amounts }: PodClass, { state, cheapest }: Fit): number => {
  let most = 0;
  for (let i = 0; i < resourceIds.length; i++) {
    const size = amountAt(itemAt(state.template.columns, idAt(resourceIds, i)).amounts, cheapest.type);
    most = Math.max(most, amountAt(amounts, i) / size);
  }
  return most;
};

/**
 * What a new node costs more once it has the pod. Where the node grows, the pod pays its share of the larger one
 * and not the whole step, since other pods will use the rest.
 */
const growthCost = (podClass: PodClass, before: Fit, after: Fit): number =>
  Math.max(0, Math.min(priceOf(after) - priceOf(before), shareOf(podClass, after) * priceOf(after)));

const isHopeless = (join: AffinityCheck): boolean => !mayBeFirst(join) && join.groups.some(({ counter }) => counter.total === 0);

/** Whether placing pods of the class may make a place that the checks allow. */
const mayMakePlace = ({ host, wide }: Checks, { countedBy }: ClassTopology): boolean => {
  const spread = wide.spreads.map(({ group }) => group);
  const joined = [...wide.affinity, ...host.affinity].flatMap(({ allGroups }) => allGroups);
  return [...spread, ...joined].some((group) => countedBy.includes(group));
};

/**
 * Searches for places where pods of a class get all of some preferences. What refused once is not asked again until
 * `restart`.
 */
export class PreferenceLevel {
  /** Whether pods of the class may still get these preferences after one did not. */
  readonly mayReopen: boolean;
  readonly #checks: Checks;
  readonly #set: TopologyWorkingSet;
  readonly #incoming: LevelPods;
  #searches: TermSearch[] = [];
  /** Terms before this one have refused for good. */
  #from = 0;

  constructor(set: TopologyWorkingSet, incoming: LevelPods) {
    this.#set = set;
    this.#incoming = incoming;
    this.#checks = incoming.classTopology.checksWith(incoming.preferences);
    this.mayReopen = mayMakePlace(this.#checks, incoming.classTopology);
  }

  /** A place for one pod, where `wanted` pods that are to share a host have room if there is such a place. */
  find(wanted: number): FoundPlace | undefined {
    const { host, wide } = this.#checks;
    if (host.affinity.some(isHopeless) || wide.affinity.some(isHopeless)) return undefined;
    const { terms, isTogether } = this.#incoming;
    const together = host.affinity.some(mayBeFirst) ? this.#findForAll(wanted) : undefined;
    if (together !== undefined || isTogether) return together;
    const there = (index: number): FoundPlace | undefined => this.#findThere(index);
    const fresh = (index: number): FoundPlace | undefined => this.#findNew(itemAt(terms, index));
    if (this.#set.isTermByTerm) return this.#first((index) => there(index) ?? fresh(index), true);
    // A node that is there by a later term costs less than a new one by the first.
    return this.#first(there, false) ?? this.#first(fresh, true);
  }

  /** The place that the first of the terms finds. A search without a find is not repeated if it `isLast` of what is tried by a term. */
  #first(find: (index: number) => FoundPlace | undefined, isLast: boolean): FoundPlace | undefined {
    for (let index = this.#from; index < this.#incoming.terms.length; index++) {
      const place = find(index);
      if (place !== undefined) return place;
      if (isLast && !this.mayReopen) this.#from = index + 1;
    }
    return undefined;
  }

  /** A place on an existing or a new node by the term. */
  #findThere(index: number): FoundPlace | undefined {
    return this.#findBy((this.#searches[index] ??= this.#searchFor(itemAt(this.#incoming.terms, index), 1)));
  }

  /** Asks every node again from now on. */
  restart(): void {
    this.#searches = [];
  }

  /** A new node was opened, or has changed its state. */
  recheck(number: number): void {
    for (const { newNodes } of this.#searches) newNodes?.recheck(number);
  }

  /** A place for the first of so many pods that must share a host. */
  #findForAll(wanted: number): FoundPlace | undefined {
    for (const term of this.#incoming.terms) {
      const place = this.#findBy(this.#searchFor(term, wanted)) ?? this.#findNew(term, wanted);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  #incomingBy(term: NodeTerm): IncomingTopologyPod {
    const { podClass, classTopology } = this.#incoming;
    const incoming: IncomingPod = podClass.topology === undefined ? { podClass, term } : { podClass, term, checks: this.#checks };
    return { incoming, classTopology, checks: this.#checks };
  }

  #searchFor(term: NodeTerm, podsAtOnce: number): TermSearch {
    const { topology, cells, existing, open } = this.#set;
    const how = { placeRequest: { ...this.#incomingBy(term), podsAtOnce }, topology };
    return {
      term,
      nodes: new NodeSearch(existing, cells, how),
      newNodes: open.index && new NewNodeSearch(open, open.index, how),
    };
  }

  #findBy({ term, nodes, newNodes }: TermSearch): FoundPlace | undefined {
    const { classTopology, podClass } = this.#incoming;
    const { existing, topology, open } = this.#set;
    const { incoming } = this.#incomingBy(term);
    const node = nodes.findOne();
    if (node !== undefined) {
      const take = (): undefined => {
        existing.put(incoming, node, 1);
        topology.placeOnNode(classTopology, node, 1);
      };
      return { costPerHour: 0, take };
    }
    if (this.#set.isFrugal) limitGrowth(this.#set, findNewNode(this.#incomingBy(term), this.#set));
    const found = newNodes?.findOne();
    limitGrowth(this.#set, undefined);
    if (found === undefined) return undefined;
    const { number, fit } = found;
    const before = itemAt(open.newNodes, number).fit;
    const take = (): number | undefined => {
      open.add(number, incoming, fit.state);
      topology.placeOnNewNode(classTopology, number, fit.state);
      return fit.state === before.state ? undefined : number;
    };
    return { costPerHour: growthCost(podClass, before, fit), take };
  }

  #findNew(term: NodeTerm, podsAtOnce = 1): FoundPlace | undefined {
    const found = findNewNode(this.#incomingBy(term), this.#set, podsAtOnce);
    return found && { costPerHour: nodeCost(found.newNode.fit), take: () => this.#open(found) };
  }

  #open(found: UnchargedNode): number {
    openUncharged(found, this.#incoming.classTopology, this.#set);
    return this.#set.open.newNodes.length - 1;
  }
}
