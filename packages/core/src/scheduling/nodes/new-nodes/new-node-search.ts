import { itemAt } from '../../../base/index.ts';
import { firstRefusal } from '../../topology/group.ts';
import type { Topology } from '../../topology/topology.ts';
import type { NewNodeCell, NewNodeCells, NewNodeIndex } from './new-node-index.ts';
import { nextState } from '../node-state.ts';
import { nextInAll } from './new-node-index.ts';
import type { NewNodes } from './new-nodes.ts';
import type { PlaceRequest } from '../existing-nodes/node-search.ts';
import { bestState } from '../settled-states.ts';
import { useWith } from './new-node.ts';
import type { Fit, NodeState } from '../node-model.ts';

/**
 * How far the search has come in a cell. It tries new nodes by pod count, then number. Those before `count` and `number`
 * refused, except `again`.
 */
interface Track {
  readonly cell: NewNodeCell;
  count: number;
  number: number;
  /** New nodes to try again: they appeared, or changed their domains, after the search had passed them. */
  again: readonly number[];
}

/** A new node that has room for the pod, and its fit with it. */
export interface NewNodePlace {
  readonly number: number;
  readonly fit: Fit;
}

const NONE: readonly number[] = [];

const trackOf = (cell: NewNodeCell): Track => ({ cell, count: 0, number: 0, again: NONE });

/**
 * Searches the new nodes for the pods of one class, one pod after the other. Of the nodes that take it the one with
 * the fewest pods, then the oldest.
 */
export class NewNodeSearch {
  readonly #open: NewNodes;
  readonly #index: NewNodeIndex;
  readonly #topology: Topology;
  readonly #placeRequest: PlaceRequest;
  readonly #cells: NewNodeCells;
  /** By the numbers of their cells. */
  readonly #tracks: Track[] = [];
  readonly #asksHosts: boolean;
  /** The host that is being asked about. */
  #host = 0;
  readonly #hostOf = (): number => this.#host;

  constructor(
    open: NewNodes,
    index: NewNodeIndex,
    { placeRequest, topology }: { readonly placeRequest: PlaceRequest; readonly topology: Topology },
  ) {
    this.#open = open;
    this.#index = index;
    this.#topology = topology;
    this.#placeRequest = placeRequest;
    const { antiAffinity, spreads, affinity } = placeRequest.checks.host;
    this.#asksHosts = antiAffinity.length + spreads.length + affinity.length > 0;
    this.#cells = index.cellsOf(placeRequest.checks.keys);
    for (const cell of this.#cells.all) this.#tracks.push(trackOf(cell));
  }

  placeOne(): boolean {
    return this.#firstThat((number) => this.#tryOn(number)) !== undefined;
  }

  /** Where `placeOne` would place the pod. Changes nothing. */
  findOne(): NewNodePlace | undefined {
    return this.#firstThat((number) => this.#placeOn(number));
  }

  /** The answer of the first new node that has one. A new node without one is passed over for good. */
  #firstThat<T>(ask: (number: number) => T | undefined): T | undefined {
    for (let bid = this.#best(); bid !== undefined; bid = this.#best()) {
      const answer = ask(bid.number);
      if (answer !== undefined) return answer;
      const { track, number } = bid;
      if (track.again.includes(number)) track.again = track.again.filter((each) => each !== number);
      else track.number++;
    }
    return undefined;
  }

  /** A new node has come, or has moved to another domain: it is checked again. */
  recheck(number: number): void {
    const track = this.#track(this.#placeRequest.checks.keys.map((key) => this.#index.domainOfNewNode(number, key)));
    const count = itemAt(this.#open.newNodes, number).podCount;
    const isAhead = count > track.count || (count === track.count && number >= track.number);
    if (!isAhead && !track.again.includes(number)) track.again = [...track.again, number];
  }

  #track(domains: readonly number[]): Track {
    const found = this.#cells.of(domains);
    // Cells may have come since the search began.
    for (const cell of this.#cells.all.slice(this.#tracks.length)) this.#tracks.push(trackOf(cell));
    return this.#tracks[found.number] ?? trackOf(found);
  }

  #best(): { readonly track: Track; readonly number: number } | undefined {
    let best: Track | undefined;
    let bestNumber = -1;
    for (const track of this.#tracks) {
      if (this.#isClosed(track)) continue;
      const number = this.#firstOf(track);
      if (number < 0 || (best !== undefined && !this.#isBefore(number, bestNumber))) continue;
      best = track;
      bestNumber = number;
    }
    return best && { track: best, number: bestNumber };
  }

  #isBefore(a: number, b: number): boolean {
    const { newNodes } = this.#open;
    const difference = itemAt(newNodes, a).podCount - itemAt(newNodes, b).podCount;
    return difference < 0 || (difference === 0 && a < b);
  }

  /** The first new node of the track that may take the pod; -1 when there is none. */
  #firstOf(track: Track): number {
    let first = this.#advance(track) ? track.number : -1;
    if (track.again.length === 0) return first;
    track.again = track.again.filter((number) => this.#mayTake(number));
    for (const number of track.again) if (first < 0 || this.#isBefore(number, first)) first = number;
    return first;
  }

  #isClosed({ cell: { isOpen, domainOf } }: Track): boolean {
    return !isOpen && firstRefusal(this.#placeRequest.checks.wide, domainOf) !== undefined;
  }

  /** Moves the track on to a new node that may take the pod; false when there is none. */
  #advance(track: Track): boolean {
    const { sets } = track.cell;
    for (const { size } of sets) if (size === 0) return false;
    const index = this.#index;
    const limit = index.countLimit;
    while (track.count < limit) {
      const candidates = index.withCount(track.count);
      const number = candidates.size === 0 ? -1 : nextInAll(candidates, sets, track.number);
      if (number < 0) {
        track.count++;
        track.number = 0;
        continue;
      }
      track.number = number;
      if (this.#mayTake(number)) return true;
      track.number++;
    }
    return false;
  }

  #mayTake(number: number): boolean {
    const { incoming, checks, podsAtOnce } = this.#placeRequest;
    if (!this.#open.mayHaveRoom(number, incoming.podClass, podsAtOnce)) return false;
    if (!this.#asksHosts) return true;
    this.#host = this.#topology.hostOfNewNode(number);
    return firstRefusal(checks.host, this.#hostOf) === undefined;
  }

  /** The state that the new node takes on with the pod; undefined when it has no room for it in any. */
  #stateOn(number: number): NodeState | undefined {
    const { incoming, checks } = this.#placeRequest;
    const newNode = itemAt(this.#open.newNodes, number);
    const { allowedTypes } = newNode;
    const next = nextState(newNode.fit.state, incoming.term);
    if (next === undefined) return undefined;
    return bestState(next, { checks, domains: this.#topology.domains }, () => ({
      load: { used: useWith(newNode, incoming.podClass), allowedTypes },
      fitIn: (state) => this.#open.fitWith(number, incoming, state),
    }));
  }

  #placeOn(number: number): NewNodePlace | undefined {
    const state = this.#stateOn(number);
    const fit = state && this.#open.fitWith(number, this.#placeRequest.incoming, state);
    return fit && { number, fit };
  }

  #tryOn(number: number): true | undefined {
    const { incoming, classTopology } = this.#placeRequest;
    const before = itemAt(this.#open.newNodes, number).fit.state;
    const state = this.#stateOn(number);
    if (state === undefined || !this.#open.add(number, incoming, state)) return undefined;
    this.#topology.placeOnNewNode(classTopology, number, state);
    if (state !== before) this.recheck(number);
    return true;
  }
}
