import type { EqualRungs } from '../classes/rung.ts';
import { rungsText } from './parcel.ts';
import type { Parcel } from './parcel.ts';

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
