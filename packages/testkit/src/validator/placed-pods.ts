import type { Pod } from '@karpenter/core';
import type { PlainLabels } from './node-labels.ts';
import type { PodScope } from './pod-scope.ts';
import type { Spot } from './spot.ts';
import { valuesIn } from './spot.ts';

/**
 * How many pods are in a domain at least and at most: a planned node whose labels are open is only possibly in each of
 * its domains.
 */
export interface Presence {
  readonly least: number;
  readonly most: number;
}

/** The sets of labels with which a node would count: all that it may have, some, or none. */
export type Counting = (spot: Spot) => readonly PlainLabels[];

const always: Counting = ({ labelSets }) => labelSets;
const nobody: Presence = { least: 0, most: 0 };

interface PlacedPodsOptions {
  readonly key: string;
  readonly has: PodScope['has'];
  readonly counting?: Counting;
  /** The domains that a spread counts. Absent for affinity and anti-affinity. */
  readonly spreadOver?: ReadonlySet<string>;
}

/** Pods of one scope that have been bound so far, by domain of one key. */
export class PlacedPods {
  readonly key: string;
  readonly has: (pod: Pod) => boolean;
  total = 0;
  readonly #counting: Counting;
  readonly #spreadOver: ReadonlySet<string> | undefined;
  readonly #domains = new Map<string, Presence>();
  /** Spot → how many of the pods are on it. */
  readonly #spots = new Map<Spot, number>();

  constructor({ key, has, counting = always, spreadOver }: PlacedPodsOptions) {
    this.key = key;
    this.#spreadOver = spreadOver;
    this.has = has;
    this.#counting = counting;
  }

  add(spot: Spot): void {
    this.#change(spot, 1);
  }

  remove(spot: Spot): void {
    this.#change(spot, -1);
  }

  in(domain: string): Presence {
    return this.#domains.get(domain) ?? nobody;
  }

  /**
   * How many more of the pods may be in the spot's domain than in the emptiest of the domains that a spread counts.
   * Undefined without a spread.
   */
  excessOn(spot: Spot): number | undefined {
    if (this.#spreadOver === undefined || this.#counting(spot).length === 0) return undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const domain of this.#spreadOver) least = Math.min(least, this.in(domain).least);
    const [value] = valuesIn(spot.labelSets, this.key);
    return value === undefined ? undefined : this.in(value).most - least;
  }

  isOn(spot: Spot): boolean {
    return (this.#spots.get(spot) ?? 0) > 0;
  }

  #change(spot: Spot, delta: 1 | -1): void {
    const counted = this.#counting(spot);
    if (counted.length === 0) return;
    const values = valuesIn(counted, this.key);
    const isSure = counted.length === spot.labelSets.length && values.length === 1;
    if (values.some((value) => value !== undefined)) this.total += delta;
    for (const value of values) {
      if (value === undefined) continue;
      const { least, most } = this.in(value);
      this.#domains.set(value, { least: least + (isSure ? delta : 0), most: most + delta });
    }
    this.#spots.set(spot, (this.#spots.get(spot) ?? 0) + delta);
  }
}
