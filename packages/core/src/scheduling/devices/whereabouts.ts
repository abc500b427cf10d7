import { compatible, merge, opposites } from '../../requirements/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import type { DeviceReach } from './device.ts';
import type { DeviceOffers } from './device-offers.ts';

/** Follows where the devices of an allocation can be used together. A call that returns false changes nothing. */
export interface Whereabouts {
  /** Puts the place where devices of this reach can be used. */
  readonly enter: (reach: DeviceReach) => boolean;
  /** Keeps the place out of the reach. */
  readonly avoid: (reach: DeviceReach) => boolean;
  /** Undoes the last call that returned true. */
  readonly leave: () => void;
}

/** Of a place that reaches every device that it is offered. */
export const anywhere: Whereabouts = { enter: () => true, avoid: () => false, leave: () => undefined };

/** What decides where a planned node can be. */
export interface PlannedPlace {
  /** What is known of the node before. */
  readonly requirements: Requirements;
  /** Labels that it will have though its requirements do not name them. */
  readonly wellKnown: ReadonlySet<string>;
  /** Whether it can still be launched with these requirements. */
  readonly accepts: (requirements: Requirements) => boolean;
}

/** Of a planned node, which labels still decide about. */
export class PlannedWhereabouts implements Whereabouts {
  readonly #offers: DeviceOffers;
  readonly #place: PlannedPlace;
  readonly #narrowed: Requirements[] = [];

  constructor(offers: DeviceOffers, place: PlannedPlace) {
    this.#offers = offers;
    this.#place = place;
  }

  /** What the node has to be. */
  get requirements(): Requirements {
    return this.#narrowed.at(-1) ?? this.#place.requirements;
  }

  enter(reach: DeviceReach): boolean {
    if (reach.kind === 'everywhere') return this.#narrowed.push(this.requirements) > 0;
    for (const alternative of this.#offers.alternativesOf(reach)) {
      const inside = this.#both(this.requirements, alternative);
      if (inside !== undefined) return this.#narrowed.push(inside) > 0;
    }
    return false;
  }

  avoid(reach: DeviceReach): boolean {
    if (reach.kind === 'everywhere') return false;
    let outside = this.requirements;
    for (const alternative of this.#offers.alternativesOf(reach)) {
      const next = this.#outside(outside, alternative);
      if (next === undefined) return false;
      outside = next;
    }
    return this.#narrowed.push(outside) > 0;
  }

  leave(): void {
    this.#narrowed.pop();
  }

  #both(known: Requirements, more: Requirements): Requirements | undefined {
    if (compatible(known, more, { allowUndefined: this.#place.wellKnown }) !== undefined) return undefined;
    const merged = merge(known, more);
    return this.#place.accepts(merged) ? merged : undefined;
  }

  /** `known` with the first requirement of the alternative that can be turned round; as it is where it excludes that already. */
  #outside(known: Requirements, alternative: Requirements): Requirements | undefined {
    if (this.#both(known, alternative) === undefined) return known;
    for (const opposite of [...alternative.values()].flatMap(opposites)) {
      const outside = this.#both(known, new Map([[opposite.key, opposite]]));
      if (outside !== undefined) return outside;
    }
    return undefined;
  }
}
