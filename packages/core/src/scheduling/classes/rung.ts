import type { Toleration } from '../../kube/index.ts';
import { firstConflict, merge } from '../../requirements/index.ts';
import type { PodRequirements, Requirements } from '../../requirements/index.ts';
import { requirementsText } from '../../catalog/index.ts';

/**
 * One set of node requirements that a pod would accept: one of its ORed alternatives, with some of its preferences as
 * requirements or with none. Rungs with the same `text` ask the same of a node.
 */
export interface Rung {
  readonly text: string;
  readonly requirements: Requirements;
  readonly tolerations: readonly Toleration[];
  readonly relaxation: Relaxation;
}

/** Rungs that suit the pod equally well: its ORed alternatives, all with the same preferences. */
export type EqualRungs = readonly Rung[];

/** Whether `PreferNoSchedule` taints keep the pod off (`required`), or are tolerated (`soft-taints`). */
export type Relaxation = 'required' | 'soft-taints';

/** Whether the rung tolerates `PreferNoSchedule` taints. */
export const toleratesSoftTaints = ({ relaxation }: Pick<Rung, 'relaxation'>): boolean => relaxation === 'soft-taints';

const tolerationsText = (tolerations: readonly Toleration[]): string =>
  tolerations.length === 0
    ? ''
    : JSON.stringify(tolerations.map(({ key, operator, value, effect }) => [key, operator, value, effect].map((part) => part ?? '')));

const tailOf = ({ tolerations, relaxation }: Pick<Rung, 'tolerations' | 'relaxation'>): string =>
  `\n${tolerationsText(tolerations)}${toleratesSoftTaints({ relaxation }) ? '\nsoft' : ''}`;

/** The required alternatives of a pod, then the same tolerating soft taints. Preferences are added by `preferringRung`. */
export const ladderOf = ({ alternatives }: PodRequirements, tolerations: readonly Toleration[]): readonly EqualRungs[] => {
  const rungsOf = (relaxation: Relaxation): EqualRungs => {
    const tail = tailOf({ tolerations, relaxation });
    return alternatives.map((requirements) => ({
      text: `${requirementsText(requirements)}${tail}`,
      requirements,
      tolerations,
      relaxation,
    }));
  };
  return [rungsOf('required'), rungsOf('soft-taints')];
};

/** The rung with a preference as one more requirement; undefined when the two contradict each other. */
export const preferringRung = (rung: Rung, preference: Requirements): Rung | undefined => {
  if (firstConflict(rung.requirements, preference) !== undefined) return undefined;
  const requirements = merge(rung.requirements, preference);
  return { ...rung, text: `${requirementsText(requirements)}${tailOf(rung)}`, requirements };
};

/** The same rung for fewer nodes: only those that also meet these requirements. */
export const narrowedRung = (rung: Rung, requirements: Requirements): Rung => {
  if (requirements.size === 0) return rung;
  return { ...rung, text: `${rung.text}\n\n${requirementsText(requirements)}`, requirements: merge(rung.requirements, requirements) };
};
