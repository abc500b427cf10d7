import type { Toleration } from '../../kube/index.ts';
import { merge } from '../../requirements/index.ts';
import type { PodRequirements, Requirements } from '../../requirements/index.ts';
import { requirementsText } from '../../catalog/index.ts';

/**
 * One set of node requirements that a pod would accept. The rungs of a pod form a ladder and are tried in order: those with a preference first,
 * the bare requirements after them. Rungs with the same `text` ask the same of a node.
 */
export interface Rung {
  readonly text: string;
  readonly requirements: Requirements;
  readonly tolerations: readonly Toleration[];
  readonly relaxation: Relaxation;
}

/** Rungs that suit the pod equally well: its ORed alternatives, all with the same preferences left. */
export type EqualRungs = readonly Rung[];

/**
 * Which preferences are left: one of them (`preference`), none (`required`), or either of the two with `PreferNoSchedule` taints tolerated as well
 * (`tainted-preference`, `soft-taints`).
 */
export type Relaxation = 'preference' | 'required' | 'tainted-preference' | 'soft-taints';

/** Whether the rung tolerates `PreferNoSchedule` taints. */
export const toleratesSoftTaints = ({ relaxation }: Pick<Rung, 'relaxation'>): boolean =>
  relaxation === 'tainted-preference' || relaxation === 'soft-taints';

const tolerationsText = (tolerations: readonly Toleration[]): string =>
  tolerations.length === 0
    ? ''
    : JSON.stringify(tolerations.map(({ key, operator, value, effect }) => [key, operator, value, effect].map((part) => part ?? '')));

/**
 * The ladder of a pod: each preferred node affinity on its own together with the requirements, heaviest first; then the requirements alone; then the
 * same again, tolerating soft taints. At each height all ORed alternatives stand side by side.
 * Differs: the original drops alternatives before preferences, and so tries preferences with the last alternative only; and it drops all
 * preferences before it tolerates soft taints.
 */
export const ladderOf = ({ alternatives, preferred }: PodRequirements, tolerations: readonly Toleration[]): readonly EqualRungs[] => {
  const suffix = tolerationsText(tolerations);
  const rung = (requirements: Requirements, relaxation: Relaxation): Rung => ({
    text: `${requirementsText(requirements)}\n${suffix}${toleratesSoftTaints({ relaxation }) ? '\nsoft' : ''}`,
    requirements,
    tolerations,
    relaxation,
  });
  const preferring = (relaxation: Relaxation): readonly EqualRungs[] =>
    preferred.map((preference) => alternatives.map((alternative) => rung(merge(alternative, preference.requirements), relaxation)));
  return [
    ...preferring('preference'),
    alternatives.map((alternative) => rung(alternative, 'required')),
    ...preferring('tainted-preference'),
    alternatives.map((alternative) => rung(alternative, 'soft-taints')),
  ];
};

/** The same rung for fewer nodes: only those that also meet these requirements. */
export const narrowedRung = (rung: Rung, requirements: Requirements): Rung => {
  if (requirements.size === 0) return rung;
  return { ...rung, text: `${rung.text}\n\n${requirementsText(requirements)}`, requirements: merge(rung.requirements, requirements) };
};
