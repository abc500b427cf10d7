import { firstRefusal } from '../../topology/group.ts';
import type { Topology } from '../../topology/topology.ts';
import type { DraftCell, DraftCells, DraftIndex } from './draft-index.ts';
import { nextState } from '../node-state.ts';
import { nextInAll } from './draft-index.ts';
import type { OpenDrafts } from './open-drafts.ts';
import type { Seeker } from '../existing/node-search.ts';
import { rankedStates } from '../settled-states.ts';
import { priceOf } from '../../packing/unit-prices.ts';
import type { Fit, NodeState } from '../node-model.ts';

/**
 * How far the search has come in a cell. It tries drafts by pod count, then number. Those before `count` and `number`
 * refused, except `again`.
 */
interface Track {
  readonly cell: DraftCell;
  count: number;
  number: number;
  /** Drafts to try again: they appeared, or changed their domains, after the search had passed them. */
  again: readonly number[];
}

/** A draft that has room for the pod, and its fit with it. */
export interface DraftPlace {
  readonly number: number;
  readonly fit: Fit;
}

const NONE: readonly number[] = [];

const trackOf = (cell: DraftCell): Track => ({ cell, count: 0, number: 0, again: NONE });

/**
 * Searches the planned nodes for the pods of one class, one pod after the other: of the nodes that take it the one with
 * the fewest pods, then the oldest.
 */
export class DraftSearch {
  readonly #open: OpenDrafts;
  readonly #index: DraftIndex;
  readonly #topology: Topology;
  readonly #seeker: Seeker;
  readonly #cells: DraftCells;
  /** By the numbers of their cells. */
  readonly #tracks: Track[] = [];
  readonly #asksHosts: boolean;
  /** The host that is being asked about. */
  #host = 0;
  readonly #hostOf = (): number => this.#host;

  constructor(open: OpenDrafts, index: DraftIndex, { seeker, topology }: { readonly seeker: Seeker; readonly topology: Topology }) {
    this.#open = open;
    this.#index = index;
    this.#topology = topology;
    this.#seeker = seeker;
    const { antiAffinity, spreads, affinity } = seeker.checks.host;
    this.#asksHosts = antiAffinity.length + spreads.length + affinity.length > 0;
    this.#cells = index.cellsOf(seeker.checks.keys);
    for (const cell of this.#cells.all) this.#tracks.push(trackOf(cell));
  }

  placeOne(): boolean {
    return this.#firstThat((number) => this.#tryOn(number)) !== undefined;
  }

  /** Where `placeOne` would place the pod. Changes nothing. */
  findOne(): DraftPlace | undefined {
    return this.#firstThat((number) => this.#placeOn(number));
  }

  /** The answer of the first draft that has one. A draft without one is passed over for good. */
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

  /** A draft has come, or has moved to another domain: it is looked at again. */
  lookAgainAt(number: number): void {
    const track = this.#track(this.#seeker.checks.keys.map((key) => this.#index.domainOfDraft(number, key)));
    const count = this.#open.drafts[number]?.podCount ?? 0;
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
    const { drafts } = this.#open;
    const difference = (drafts[a]?.podCount ?? 0) - (drafts[b]?.podCount ?? 0);
    return difference < 0 || (difference === 0 && a < b);
  }

  /** The first draft of the track that may take the pod; -1 when there is none. */
  #firstOf(track: Track): number {
    let first = this.#advance(track) ? track.number : -1;
    if (track.again.length === 0) return first;
    track.again = track.again.filter((number) => this.#mayTake(number));
    for (const number of track.again) if (first < 0 || this.#isBefore(number, first)) first = number;
    return first;
  }

  #isClosed({ cell: { isOpen, domainOf } }: Track): boolean {
    return !isOpen && firstRefusal(this.#seeker.checks.wide, domainOf) !== undefined;
  }

  /** Moves the track on to a draft that may take the pod; false when there is none. */
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
    const { applicant, checks, podsAtOnce } = this.#seeker;
    if (!this.#open.mayHaveRoom(number, applicant.podClass, podsAtOnce)) return false;
    if (!this.#asksHosts) return true;
    this.#host = this.#topology.hostOfDraft(number);
    return firstRefusal(checks.host, this.#hostOf) === undefined;
  }

  /** The states that the draft may take on with the pod, equally good ones together, in the order in which they are tried. */
  #statesOf(number: number): readonly (readonly NodeState[])[] {
    const { applicant, checks } = this.#seeker;
    const draft = this.#open.drafts[number];
    const next = draft && nextState(draft.fit.state, applicant.rung);
    return next === undefined ? [] : rankedStates(next, checks, this.#topology.domains);
  }

  /** The fit in the state of these that costs least; undefined when the draft has no room for the pod in any. */
  #cheapestOn(number: number, states: readonly NodeState[]): Fit | undefined {
    let best: Fit | undefined;
    for (const state of states) {
      const fit = this.#open.fitWith(number, this.#seeker.applicant, state);
      if (fit !== undefined && (best === undefined || priceOf(fit) < priceOf(best))) best = fit;
    }
    return best;
  }

  #placeOn(number: number): DraftPlace | undefined {
    for (const states of this.#statesOf(number)) {
      const fit = this.#cheapestOn(number, states);
      if (fit !== undefined) return { number, fit };
    }
    return undefined;
  }

  #tryOn(number: number): true | undefined {
    const { applicant, classTopology } = this.#seeker;
    const before = this.#open.drafts[number]?.fit.state;
    for (const states of this.#statesOf(number)) {
      // Mostly all domains are settled, and there is nothing to choose.
      const [only] = states;
      const state = states.length === 1 ? only : this.#cheapestOn(number, states)?.state;
      if (state === undefined || !this.#open.add(number, applicant, state)) continue;
      this.#topology.placeOnDraft(classTopology, number, state);
      if (state !== before) this.lookAgainAt(number);
      return true;
    }
    return undefined;
  }
}
