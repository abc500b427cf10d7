import type { Step } from '../classes/rung.ts';
import { wishesOf } from './parcel.ts';
import type { Parcel } from './parcel.ts';

/** Numbers for what parcels wish beside resources: those that like the same rungs have one number. A step's text is made once. */
export class Wishes {
  /** Number → the step. */
  readonly steps: Step[] = [];
  readonly #byStep = new Map<Step, number>();
  readonly #byText = new Map<string, number>();

  numberOf(parcel: Parcel): number {
    const known = this.#byStep.get(parcel.step);
    if (known !== undefined) return known;
    const text = wishesOf(parcel);
    const number = this.#byText.get(text) ?? this.steps.push(parcel.step) - 1;
    this.#byText.set(text, number);
    this.#byStep.set(parcel.step, number);
    return number;
  }
}
