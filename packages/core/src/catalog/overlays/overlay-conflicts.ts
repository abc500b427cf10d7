import type { Requirements } from '../../requirements/index.ts';
import type { InstanceType } from '../instance-type.ts';
import type { Offering } from '../offering.ts';
import { offeringsUnder } from './overlay-rule.ts';
import type { OverlayRule } from './overlay-rule.ts';

/** The types of one pool, to which overlays may apply. */
export interface OverlaidPool {
  readonly labels: Requirements;
  readonly types: readonly InstanceType[];
}

/** Two overlays of the same weight that set the same thing: which one counts would be chance. */
export interface OverlayConflict {
  readonly with: string;
  readonly instanceType: string;
  /** `price`, or the resource. */
  readonly about: string;
}

/**
 * The rule that last set each price and each resource. Rules come in order of weight, so only the last can have an
 * equal weight.
 */
class LastSetBy {
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

  record(rule: OverlayRule, type: InstanceType, offerings: readonly Offering[]): void {
    if (rule.priceChange !== undefined) for (const offering of offerings) this.#ofOffering.set(offering, rule);
    const resources = this.#ofResource.get(type) ?? new Map<string, OverlayRule>();
    for (const resource of Object.keys(rule.capacity)) resources.set(resource, rule);
    this.#ofResource.set(type, resources);
  }
}

/** A type that a rule applies to, and the offerings of it. */
interface Match {
  readonly lastSetBy: LastSetBy;
  readonly type: InstanceType;
  readonly offerings: readonly Offering[];
}

/**
 * Overlay → its first conflict with one that is in force. Takes rules in the order of `overlayRules`. A rule that
 * conflicts anywhere is in force nowhere, and so conflicts with no later one. Cost: rules × pools × types.
 */
export const overlayConflicts = (rules: readonly OverlayRule[], pools: readonly OverlaidPool[]): ReadonlyMap<string, OverlayConflict> => {
  const places = pools.map((pool) => ({ ...pool, lastSetBy: new LastSetBy() }));
  const conflicts = new Map<string, OverlayConflict>();
  for (const rule of rules) {
    const matches = places.flatMap(({ labels, types, lastSetBy }): readonly Match[] =>
      types
        .map((type) => ({ lastSetBy, type, offerings: offeringsUnder(rule, type, labels) }))
        .filter(({ offerings }) => offerings.length > 0),
    );
    const conflict = matches
      .map(({ lastSetBy, type, offerings }) => lastSetBy.conflictOf(rule, type, offerings))
      .find((each) => each !== undefined);
    if (conflict !== undefined) conflicts.set(rule.name, conflict);
    else for (const { lastSetBy, type, offerings } of matches) lastSetBy.record(rule, type, offerings);
  }
  return conflicts;
};
