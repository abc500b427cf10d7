import { firstRefusal } from '../topology/checks.ts';
import { UNSETTLED } from '../topology/domain-table.ts';
import type { Topology } from '../topology/topology.ts';
import type { DraftIndex } from './draft-index.ts';
import { nextState } from './node-state.ts';
import { nextInAll } from './number-set.ts';
import type { NumberSet } from './number-set.ts';
import type { OpenDrafts } from './open-drafts.ts';
import type { Seeker } from './node-search.ts';
import { settledStates } from './settled-states.ts';

/** The drafts in some domains, by count of pods and then by number; those before `count` and `number` have refused for now. */
interface Track {
  readonly text: string;
  readonly sets: readonly NumberSet[];
  readonly isOpen: boolean;
  readonly domainOf: (key: number) => number;
  count: number;
  number: number;
}

/** A look over the planned nodes for pods of one class, one pod after the other: the node with the fewest pods that takes it, then the oldest. */
export class DraftSearch {
  readonly #open: OpenDrafts;
  readonly #index: DraftIndex;
  readonly #topology: Topology;
  readonly #seeker: Seeker;
  readonly #tracks = new Map<string, Track>();

  constructor(open: OpenDrafts, index: DraftIndex, { seeker, topology }: { readonly seeker: Seeker; readonly topology: Topology }) {
    this.#open = open;
    this.#index = index;
    this.#topology = topology;
    this.#seeker = seeker;
    let tuples: readonly (readonly number[])[] = [[]];
    for (const key of seeker.checks.keys) {
      tuples = tuples.flatMap((tuple) => index.domainsOf(key).map((domain) => [...tuple, domain]));
    }
    for (const tuple of tuples) this.#track(tuple);
  }

  placeOne(): boolean {
    for (let track = this.#best(); track !== undefined; track = this.#best()) {
      if (this.#tryOn(track.number)) return true;
      track.number++;
    }
    return false;
  }

  /** A draft has come, or has moved to another domain: it is looked at again. */
  lookAgainAt(number: number): void {
    const track = this.#track(this.#seeker.checks.keys.map((key) => this.#index.domainOfDraft(number, key)));
    const count = this.#open.drafts[number]?.podCount ?? 0;
    if (count > track.count || (count === track.count && number >= track.number)) return;
    track.count = count;
    track.number = number;
  }

  #track(domains: readonly number[]): Track {
    const { keys } = this.#seeker.checks;
    const text = domains.join();
    const known = this.#tracks.get(text);
    if (known !== undefined) return known;
    const fresh: Track = {
      text,
      sets: keys.map((key, i) => this.#index.inDomain(key, domains[i] ?? 0)),
      isOpen: domains.includes(UNSETTLED),
      domainOf: (key) => domains[keys.indexOf(key)] ?? 0,
      count: 0,
      number: 0,
    };
    this.#tracks.set(text, fresh);
    return fresh;
  }

  #best(): Track | undefined {
    let best: Track | undefined;
    for (const track of this.#tracks.values()) {
      if (!track.isOpen && firstRefusal(this.#seeker.checks.wide, track.domainOf) !== undefined) continue;
      if (!this.#advance(track)) continue;
      if (best === undefined || track.count < best.count || (track.count === best.count && track.number < best.number)) best = track;
    }
    return best;
  }

  /** Moves the track on to a draft that may take the pod; false when there is none. */
  #advance(track: Track): boolean {
    while (track.count < this.#index.countLimit) {
      const number = nextInAll(this.#index.withCount(track.count), track.sets, track.number);
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
    const { applicant, checks, seats } = this.#seeker;
    const host = this.#topology.hostOfDraft(number);
    return this.#open.mayHaveRoom(number, applicant.podClass, seats) && firstRefusal(checks.host, () => host) === undefined;
  }

  #tryOn(number: number): boolean {
    const { applicant, checks, gives } = this.#seeker;
    const draft = this.#open.drafts[number];
    const next = draft && nextState(draft.fit.state, applicant.rung);
    if (draft === undefined || next === undefined) return false;
    const before = draft.fit.state;
    for (const state of settledStates(next, checks, this.#topology.domains)) {
      if (!this.#open.add(number, applicant, state)) continue;
      this.#topology.placeOnDraft(gives, number, state);
      if (state !== before) this.lookAgainAt(number);
      return true;
    }
    return false;
  }
}
