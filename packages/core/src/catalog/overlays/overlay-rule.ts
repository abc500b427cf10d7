import { labels } from '../../apis/index.ts';
import type { LabelCatalog, NodeOverlay, NodePool } from '../../apis/index.ts';
import { compareText } from '../../base/index.ts';
import { resourcesOf } from '../../kube/index.ts';
import type { Resources } from '../../kube/index.ts';
import { intersects, labelRequirements, requirementsOf } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import type { InstanceType } from '../instance-type.ts';
import type { Offering } from '../offering.ts';

/** A NodeOverlay, read. */
export interface OverlayRule {
  readonly name: string;
  readonly weight: number;
  readonly requirements: Requirements;
  /** What `adjustedPrice` takes; absent where the overlay leaves prices alone. */
  readonly priceChange: string | undefined;
  readonly capacity: Resources;
}

/** The sound overlays, the one that counts most first: by weight, then by name from z to a, as the original takes them. */
export const overlayRules = (overlays: readonly NodeOverlay[], catalog: LabelCatalog): readonly OverlayRule[] =>
  overlays
    .map(({ metadata, spec }) => ({
      name: metadata.name,
      weight: spec.weight ?? 0,
      requirements: requirementsOf(spec.requirements, catalog),
      priceChange: spec.price ?? spec.priceAdjustment,
      capacity: resourcesOf(spec.capacity),
    }))
    .sort((a, b) => b.weight - a.weight || compareText(b.name, a.name));

/** What an overlay may ask of a NodePool: its name and the labels of its template. */
export const poolLabelRequirements = ({ metadata, spec }: NodePool, catalog: LabelCatalog): Requirements =>
  labelRequirements({ ...spec.template.metadata?.labels, [labels.nodePool]: metadata.name }, catalog);

/** A label that nobody states is missing. */
const isMet = (wanted: Requirement, own: Requirement | undefined): boolean =>
  own === undefined ? wanted.mayBeAbsent : intersects(own, wanted);

/**
 * The offerings of a type that a rule is about; none when it is not about the type. What an offering says of a label
 * counts before what its type says, and that before the pool.
 */
export const offeringsUnder = ({ requirements }: OverlayRule, type: InstanceType, pool: Requirements): readonly Offering[] => {
  const wanted = [...requirements.values()];
  const ofType = (each: Requirement): Requirement | undefined => type.requirements.get(each.key) ?? pool.get(each.key);
  const mayVary = (each: Requirement): boolean => type.offerings.some((offering) => offering.requirements.has(each.key));
  if (!wanted.every((each) => mayVary(each) || isMet(each, ofType(each)))) return [];
  return type.offerings.filter((offering) => wanted.every((each) => isMet(each, offering.requirements.get(each.key) ?? ofType(each))));
};
