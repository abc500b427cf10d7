import type { Pod } from '@karpenter/core';
import type { PodScope } from './pod-scope.ts';
import type { Spot } from './spot.ts';
import { valuesOn } from './spot.ts';

/** How many pods are in a domain at least and at most: a planned node whose labels are open is only possibly in each of its domains. */
export interface Presence {
  readonly least: number;
  readonly most: number;
}

/** How sure it is that a node counts. */
export type Counting = (spot: Spot) => 'surely' | 'maybe' | 'not';

const always: Counting = () => 'surely';
const nobody: Presence = { least: 0, most: 0 };

/** Pods of one scope that have been bound so far, by domain of one key. */
export class PlacedPods {
  readonly key: string;
  readonly has: (pod: Pod) => boolean;
  total = 0;
  readonly #counting: Counting;
  readonly #domains = new Map<string, Presence>();
  readonly #spots = new Set<Spot>();

  constructor({ key, has, counting = always }: { readonly key: string; readonly has: PodScope['has']; readonly counting?: Counting }) {
    this.key = key;
    this.has = has;
    this.#counting = counting;
  }

  add(spot: Spot): void {
    const verdict = this.#counting(spot);
    if (verdict === 'not') return;
    const values = valuesOn(spot, this.key);
    const isSure = verdict === 'surely' && values.length === 1;
    if (values.some((value) => value !== undefined)) this.total++;
    for (const value of values) {
      if (value === undefined) continue;
      const { least, most } = this.in(value);
      this.#domains.set(value, { least: least + (isSure ? 1 : 0), most: most + 1 });
    }
    this.#spots.add(spot);
  }

  in(domain: string): Presence {
    return this.#domains.get(domain) ?? nobody;
  }

  isOn(spot: Spot): boolean {
    return this.#spots.has(spot);
  }
}
