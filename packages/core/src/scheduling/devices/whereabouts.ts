import { memoByObject } from '../../base/index.ts';
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

/**
 * A claim's devices may be reached from nodes of several kinds: so many ways to choose one for each reach are tried.
 * kube-scheduler gives a claim one.
 */
const MOST_CHOICES = 16;

/** What decides where a new node can be. */
export interface PlannedPlace {
  /** What is known of the node before. */
  readonly requirements: Requirements;
  /** Labels that it will have though its requirements do not name them. */
  readonly wellKnown: ReadonlySet<string>;
  /** Whether it can still be launched with these requirements. */
  readonly accepts: (requirements: Requirements) => boolean;
}

/** Searches for all devices merge the requirements of hundreds of reaches, for each type and pod the same: each pair once. */
const merged = memoByObject((wellKnown: ReadonlySet<string>) =>
  memoByObject((known: Requirements) =>
    memoByObject((more: Requirements): Requirements | 'contradiction' =>
      compatible(known, more, { allowUndefined: wellKnown }) === undefined ? merge(known, more) : 'contradiction',
    ),
  ),
);

/** Both requirements; undefined where no node can meet both. */
const bothOf = (wellKnown: ReadonlySet<string>, known: Requirements, more: Requirements): Requirements | undefined => {
  const found = merged(wellKnown)(known)(more);
  return found === 'contradiction' ? undefined : found;
};

/** Requirements that each exclude the alternative. */
const excluding = memoByObject((alternative: Requirements): readonly Requirements[] =>
  [...alternative.values()].flatMap(opposites).map((opposite) => new Map([[opposite.key, opposite]])),
);

/** What a new node can be so that it reaches all of them; empty where it cannot. */
export const reachingAll = (
  reaches: readonly DeviceReach[],
  offers: DeviceOffers,
  { requirements, wellKnown }: Pick<PlannedPlace, 'requirements' | 'wellKnown'>,
): readonly Requirements[] => {
  let choices: readonly Requirements[] = [requirements];
  for (const reach of reaches) {
    const alternatives = offers.alternativesOf(reach);
    choices = choices.flatMap((known) => alternatives.flatMap((each) => bothOf(wellKnown, known, each) ?? [])).slice(0, MOST_CHOICES);
  }
  return choices;
};

/** Of a new node, which labels still decide about. */
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
    const both = bothOf(this.#place.wellKnown, known, more);
    return both !== undefined && this.#place.accepts(both) ? both : undefined;
  }

  /** `known` with the first requirement of the alternative that can be turned round; itself where it excludes that already. */
  #outside(known: Requirements, alternative: Requirements): Requirements | undefined {
    if (this.#both(known, alternative) === undefined) return known;
    for (const opposite of excluding(alternative)) {
      const outside = this.#both(known, opposite);
      if (outside !== undefined) return outside;
    }
    return undefined;
  }
}
