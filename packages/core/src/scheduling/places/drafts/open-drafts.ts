import type { Applicant, Draft, NarrowedPlace } from './draft.ts';
import type { PodClass } from '../../classes/pod-class.ts';
import type { DomainTable } from '../../topology/domain-table.ts';
import { addInState, addNarrowing, addToDraft, fitOnTypes, fitWithPod } from './draft.ts';
import { DraftIndex } from './draft-index.ts';
import { nextState } from '../node-state.ts';
import { priceOf } from '../../packing/unit-prices.ts';
import type { Fit, NodeState } from '../node-model.ts';

/** A binary heap over draft numbers: the node with the fewest pods on top, ties by number. */
export class DraftQueue {
  readonly #drafts: readonly Draft[];
  readonly #numbers: number[];

  /** Takes the array of numbers over. */
  constructor(drafts: readonly Draft[], numbers: number[]) {
    this.#drafts = drafts;
    this.#numbers = numbers;
    for (let at = (numbers.length >>> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  get top(): number | undefined {
    return this.#numbers[0];
  }

  drop(): void {
    const last = this.#numbers.pop();
    if (last === undefined || this.#numbers.length === 0) return;
    this.#numbers[0] = last;
    this.#sink(0);
  }

  /** To be called once the top has taken a pod. */
  reorderTop(): void {
    this.#sink(0);
  }

  #isBefore(a: number, b: number): boolean {
    const difference = (this.#drafts[a]?.podCount ?? 0) - (this.#drafts[b]?.podCount ?? 0);
    return difference < 0 || (difference === 0 && a < b);
  }

  /** The better child of a place, or the place itself when neither is better. */
  #better(at: number): number {
    const numbers = this.#numbers;
    const left = 2 * at + 1;
    const right = left + 1;
    let best = at;
    if (left < numbers.length && this.#isBefore(numbers[left] ?? 0, numbers[best] ?? 0)) best = left;
    if (right < numbers.length && this.#isBefore(numbers[right] ?? 0, numbers[best] ?? 0)) best = right;
    return best;
  }

  #sink(start: number): void {
    const numbers = this.#numbers;
    let at = start;
    for (let child = this.#better(at); child !== at; child = this.#better(at)) {
      const moving = numbers[at] ?? 0;
      numbers[at] = numbers[child] ?? 0;
      numbers[child] = moving;
      at = child;
    }
  }
}

/** For so many nodes at first: V8 keeps up to 64 bytes beside the array, which is made 4 times as fast as larger ones. */
const FIRST_ROOM = 8;

/**
 * The drafts of one solve, with one column of free room per resource, so that a search through thousands only compares
 * numbers.
 */
export class OpenDrafts {
  readonly drafts: Draft[] = [];
  /** What a node may cost more with one more pod, in dollars an hour. */
  mostGrowth = Number.POSITIVE_INFINITY;
  readonly #room: Float64Array[];

  /** Kept only where some pod has topology constraints. */
  readonly index: DraftIndex | undefined;

  constructor(resourceCount: number, domains?: DomainTable) {
    this.index = domains && new DraftIndex(domains);
    this.#room = Array.from({ length: resourceCount }, () => new Float64Array(FIRST_ROOM));
  }

  push(draft: Draft): void {
    if (this.drafts.length === this.#room[0]?.length) this.#grow();
    this.drafts.push(draft);
    this.#update(this.drafts.length - 1, draft);
  }

  /**
   * Places up to `wanted` pods, each on the node with the fewest pods that takes it (then the oldest). Returns how many
   * it placed.
   */
  place(applicant: Applicant, wanted: number): number {
    const queue = new DraftQueue(this.drafts, this.#withRoomFor(applicant.podClass));
    let placed = 0;
    for (let number = queue.top; number !== undefined && placed < wanted; number = queue.top) {
      const draft = this.drafts[number];
      if (draft === undefined || this.#growsTooMuch(draft, applicant) || !addToDraft(draft, applicant)) queue.drop();
      else {
        placed++;
        this.#update(number, draft);
        queue.reorderTop();
      }
    }
    return placed;
  }

  /** The same on the draft that was pushed last: all others have refused the applicant already. */
  placeOnNewest(applicant: Applicant, wanted: number): number {
    const draft = this.drafts.at(-1);
    let placed = 0;
    while (draft !== undefined && placed < wanted && addToDraft(draft, applicant)) placed++;
    if (draft !== undefined) this.#update(this.drafts.length - 1, draft);
    return placed;
  }

  /** Puts one pod on a draft, which takes on the state; false, and nothing changed, when there is no room for it there. */
  add(number: number, applicant: Applicant, state: NodeState): boolean {
    const draft = this.drafts[number];
    if (draft === undefined || this.#growsTooMuch(draft, applicant, state) || !addInState(draft, applicant, state)) return false;
    this.#update(number, draft);
    return true;
  }

  /** The same on a draft that keeps to fewer types from then on. */
  addNarrowing(number: number, applicant: Applicant, place: NarrowedPlace): boolean {
    const draft = this.drafts[number];
    if (draft === undefined || !addNarrowing(draft, applicant, place)) return false;
    this.#update(number, draft);
    return true;
  }

  /** The fit that `addNarrowing` would lead to; undefined where it would refuse. Changes nothing. */
  fitNarrowing(number: number, applicant: Applicant, place: NarrowedPlace): Fit | undefined {
    const draft = this.drafts[number];
    const fit = draft && fitOnTypes(draft, applicant, place);
    return fit === undefined || draft?.limits?.allows(fit, draft.fit) === false ? undefined : fit;
  }

  /** The fit of a draft with one more pod in the state; undefined when there is no room for it there. Changes nothing. */
  fitWith(number: number, applicant: Applicant, state: NodeState): Fit | undefined {
    const draft = this.drafts[number];
    return draft === undefined || this.#growsTooMuch(draft, applicant, state) ? undefined : fitWithPod(draft, applicant, state);
  }

  /** Whether some type that the draft may have has room for so many more pods. */
  mayHaveRoom(number: number, { resourceIds, amounts }: PodClass, podsAtOnce: number): boolean {
    for (let i = 0; i < resourceIds.length; i++) {
      if ((this.#room[resourceIds[i] ?? 0]?.[number] ?? 0) < (amounts[i] ?? 0) * podsAtOnce) return false;
    }
    return true;
  }

  /** Whether the node would cost too much more with the pod, in the state that the pod leads to if no other is given. */
  #growsTooMuch(draft: Draft, applicant: Applicant, state?: NodeState): boolean {
    if (this.mostGrowth === Number.POSITIVE_INFINITY) return false;
    const next = state ?? nextState(draft.fit.state, applicant.rung);
    const fit = next && fitWithPod(draft, applicant, next);
    return fit !== undefined && priceOf(fit) - priceOf(draft.fit) > this.mostGrowth;
  }

  #grow(): void {
    this.#room.forEach((column, resource) => {
      const larger = new Float64Array(column.length * 2);
      larger.set(column);
      this.#room[resource] = larger;
    });
  }

  #update(number: number, draft: Draft): void {
    const { fit, used } = draft;
    this.index?.update(number, draft);
    for (let resource = 0; resource < this.#room.length; resource++) {
      const column = this.#room[resource];
      if (column !== undefined) column[number] = (fit.most[resource] ?? 0) - (used[resource] ?? 0);
    }
  }

  /** Drafts where some type might have room; they may refuse the pod all the same. */
  #withRoomFor({ resourceIds, amounts }: PodClass): number[] {
    const columns = Array.from(resourceIds, (resource) => this.#room[resource] ?? new Float64Array());
    const found: number[] = [];
    for (let number = 0; number < this.drafts.length; number++) {
      let i = 0;
      while (i < columns.length && (columns[i]?.[number] ?? 0) >= (amounts[i] ?? 0)) i++;
      if (i === columns.length) found.push(number);
    }
    return found;
  }
}
