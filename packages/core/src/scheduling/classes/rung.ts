import type { Toleration } from '../../kube/index.ts';
import { merge } from '../../requirements/index.ts';
import type { PodRequirements, Requirements } from '../../requirements/index.ts';
import { requirementsText } from '../../catalog/index.ts';

/**
 * One way in which a pod would be content with a node. The rungs of a pod are tried in order: with all preferences first, the bare
 * requirements last. Rungs with the same `text` are the same question.
 */
export interface Rung {
  readonly text: string;
  readonly requirements: Requirements;
  readonly tolerations: readonly Toleration[];
  readonly step: RungStep;
}

/** Rungs between which the pod does not care: its ORed alternatives, with the same preferences left. */
export type Step = readonly Rung[];

/** What has been given up: nothing, the preferences, the wish to keep away from `PreferNoSchedule` taints, or both. */
export type RungStep = 'preference' | 'required' | 'tainted-preference' | 'soft-taints';

/** Whether `PreferNoSchedule` taints are borne. */
export const bearsSoftTaints = ({ step }: Pick<Rung, 'step'>): boolean => step === 'tainted-preference' || step === 'soft-taints';

const tolerationsText = (tolerations: readonly Toleration[]): string =>
  tolerations.length === 0
    ? ''
    : JSON.stringify(tolerations.map(({ key, operator, value, effect }) => [key, operator, value, effect].map((part) => part ?? '')));

/**
 * The ladder of a pod, step by step: each preferred node affinity alone with the requirements, heaviest first; then the requirements alone; then the
 * same again with soft taints borne. Each step holds every ORed alternative.
 * Differs: the original gives up alternatives before preferences, and so never tries a preference with any but the last alternative;
 * and where only softly tainted nodes are left it has given up all preferences before it bears the taints.
 */
export const ladderOf = ({ alternatives, preferred }: PodRequirements, tolerations: readonly Toleration[]): readonly Step[] => {
  const suffix = tolerationsText(tolerations);
  const rung = (requirements: Requirements, step: RungStep): Rung => ({
    text: `${requirementsText(requirements)}\n${suffix}${bearsSoftTaints({ step }) ? '\nsoft' : ''}`,
    requirements,
    tolerations,
    step,
  });
  const wishing = (step: RungStep): readonly Step[] =>
    preferred.map((wish) => alternatives.map((alternative) => rung(merge(alternative, wish.requirements), step)));
  return [
    ...wishing('preference'),
    alternatives.map((alternative) => rung(alternative, 'required')),
    ...wishing('tainted-preference'),
    alternatives.map((alternative) => rung(alternative, 'soft-taints')),
  ];
};

/** The rung on those of its nodes that also meet these requirements. */
export const narrowedRung = (rung: Rung, requirements: Requirements): Rung => {
  if (requirements.size === 0) return rung;
  return { ...rung, text: `${rung.text}\n\n${requirementsText(requirements)}`, requirements: merge(rung.requirements, requirements) };
};
