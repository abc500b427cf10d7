import type { NodeSelectorTerm, PodAffinity, PodAffinityTerm, PodSpec, TopologySpreadConstraint } from '../../kube/index.ts';
import { preferredNodeTerms } from '../../requirements/index.ts';

/** A preference of a pod. `index` is its position in its list of the spec. */
export type PodPreference = { readonly weight: number; readonly index: number } & (
  | { readonly kind: 'node-affinity'; readonly term: NodeSelectorTerm }
  | { readonly kind: 'spread'; readonly constraint: TopologySpreadConstraint }
  | { readonly kind: 'pod-anti-affinity' | 'pod-affinity'; readonly term: PodAffinityTerm }
);

/** The preferences of a pod that count, the heaviest first, and how many more it has. */
export interface PodPreferences {
  readonly kept: readonly PodPreference[];
  readonly cutCount: number;
}

/** How many preferences of a pod count: each costs a search for a place. The lightest beyond this number are cut. */
export const MOST_PREFERENCES = 16;

/** A `ScheduleAnyway` constraint has no weight of its own. kube-scheduler scores it like preferences of full weight. */
const SPREAD_WEIGHT = 100;

const preferredOf = (side: PodAffinity | undefined, kind: 'pod-anti-affinity' | 'pod-affinity'): readonly PodPreference[] =>
  (side?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ weight, podAffinityTerm }, index) => ({
    kind,
    weight,
    index,
    term: podAffinityTerm,
  }));

const none: PodPreferences = { kept: [], cutCount: 0 };

const hasPreferredTerms = ({ nodeAffinity, podAffinity, podAntiAffinity }: NonNullable<PodSpec['affinity']>): boolean =>
  [nodeAffinity, podAffinity, podAntiAffinity].some((side) => side?.preferredDuringSchedulingIgnoredDuringExecution !== undefined);

/** Whether the spec may have preferences. Runs for each pod, so it only reads fields. */
const mayHavePreferences = ({ affinity, topologySpreadConstraints = [] }: PodSpec): boolean =>
  topologySpreadConstraints.length > 0 || (affinity !== undefined && hasPreferredTerms(affinity));

/**
 * Preferred node affinity, preferred pod affinity and anti-affinity, and `ScheduleAnyway` spreads of a readable spec,
 * by weight. Of equal weights node affinity comes first, then spreads, anti-affinity and affinity, each in the written
 * order.
 */
export const podPreferences = (spec: PodSpec): PodPreferences => {
  if (!mayHavePreferences(spec)) return none;
  const { affinity, topologySpreadConstraints = [] } = spec;
  const all: readonly PodPreference[] = [
    ...preferredNodeTerms(spec).map(
      ({ weight, index, preference }) => ({ kind: 'node-affinity', weight, index, term: preference }) as const,
    ),
    ...topologySpreadConstraints.flatMap((constraint, index) =>
      constraint.whenUnsatisfiable === 'ScheduleAnyway' ? [{ kind: 'spread', weight: SPREAD_WEIGHT, index, constraint } as const] : [],
    ),
    ...preferredOf(affinity?.podAntiAffinity, 'pod-anti-affinity'),
    ...preferredOf(affinity?.podAffinity, 'pod-affinity'),
  ];
  const kept = all.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_PREFERENCES);
  return { kept, cutCount: all.length - kept.length };
};
