import type { Requirements } from '../../requirements/index.ts';
import type { InstanceType } from '../instance-type.ts';
import type { Offering } from '../offering.ts';
import { offeringsUnder } from './overlay-rule.ts';
import type { OverlayRule } from './overlay-rule.ts';

/** What overlays may speak of: the types of one pool. */
export interface OverlaidPool {
  readonly labels: Requirements;
  readonly types: readonly InstanceType[];
}

/** Two overlays of one weight that say something about the same: which counts would be chance. */
export interface OverlayConflict {
  readonly with: string;
  readonly instanceType: string;
  /** `price`, or the resource. */
  readonly about: string;
}

/** Who spoke last of a price or of a resource. Rules come by weight, so that an equal weight can only be that of the last. */
class Claims {
  readonly #ofOffering = new Map<Offering, OverlayRule>();
  readonly #ofResource = new Map<InstanceType, Map<string, OverlayRule>>();

  conflictOf(rule: OverlayRule, type: InstanceType, offerings: readonly Offering[]): OverlayConflict | undefined {
    const isEqual = (other: OverlayRule | undefined): other is OverlayRule => other !== undefined && other.weight === rule.weight;
    if (rule.priceChange !== undefined) {
      const other = offerings.map((offering) => this.#ofOffering.get(offering)).find(isEqual);
      if (other !== undefined) return { with: other.name, instanceType: type.name, about: 'price' };
    }
    for (const resource of Object.keys(rule.capacity)) {
      const other = this.#ofResource.get(type)?.get(resource);
      if (isEqual(other)) return { with: other.name, instanceType: type.name, about: resource };
    }
    return undefined;
  }

  take(rule: OverlayRule, type: InstanceType, offerings: readonly Offering[]): void {
    if (rule.priceChange !== undefined) for (const offering of offerings) this.#ofOffering.set(offering, rule);
    const resources = this.#ofResource.get(type) ?? new Map<string, OverlayRule>();
    for (const resource of Object.keys(rule.capacity)) resources.set(resource, rule);
    this.#ofResource.set(type, resources);
  }
}

interface Spot {
  readonly claims: Claims;
  readonly type: InstanceType;
  readonly offerings: readonly Offering[];
}

/**
 * Overlay → the first conflict with one that is in force. Rules in the order of `overlayRules`; one that conflicts anywhere is not in force
 * anywhere, and so conflicts with none that comes later. Cost: rules × pools × types.
 */
export const overlayConflicts = (rules: readonly OverlayRule[], pools: readonly OverlaidPool[]): ReadonlyMap<string, OverlayConflict> => {
  const places = pools.map((pool) => ({ ...pool, claims: new Claims() }));
  const conflicts = new Map<string, OverlayConflict>();
  for (const rule of rules) {
    const spots = places.flatMap(({ labels, types, claims }): readonly Spot[] =>
      types
        .map((type) => ({ claims, type, offerings: offeringsUnder(rule, type, labels) }))
        .filter(({ offerings }) => offerings.length > 0),
    );
    const conflict = spots
      .map(({ claims, type, offerings }) => claims.conflictOf(rule, type, offerings))
      .find((each) => each !== undefined);
    if (conflict !== undefined) conflicts.set(rule.name, conflict);
    else for (const { claims, type, offerings } of spots) claims.take(rule, type, offerings);
  }
  return conflicts;
};
