import type { Toleration } from '../../kube/index.ts';
import { firstConflict, merge } from '../../requirements/index.ts';
import type { PodRequirements, Requirements } from '../../requirements/index.ts';
import { textKey } from '../../base/index.ts';
import { requirementsText } from '../../catalog/index.ts';

/**
 * One set of node requirements that a pod would accept: one of its ORed alternatives, with some of its preferences as
 * requirements or with none. Terms with the same `text` ask the same of a node.
 */
export interface NodeTerm {
  readonly text: string;
  readonly requirements: Requirements;
  readonly tolerations: readonly Toleration[];
  readonly relaxation: Relaxation;
}

/** Terms that suit the pod equally well: its ORed alternatives, all with the same preferences. */
export type EqualTerms = readonly NodeTerm[];

/** Whether `PreferNoSchedule` taints keep the pod off (`required`), or are tolerated (`soft-taints`). */
export type Relaxation = 'required' | 'soft-taints';

/** Whether the term tolerates `PreferNoSchedule` taints. */
export const toleratesSoftTaints = ({ relaxation }: Pick<NodeTerm, 'relaxation'>): boolean => relaxation === 'soft-taints';

/** Each term carries the text of all tolerations: a longer one stands there as a digest. */
const LONGEST_TOLERATIONS = 1024;

const tolerationsText = (tolerations: readonly Toleration[]): string => {
  if (tolerations.length === 0) return '';
  const parts = tolerations.map(({ key, operator, value, effect }) => [key, operator, value, effect].map((part) => part ?? ''));
  return textKey(JSON.stringify(parts), LONGEST_TOLERATIONS);
};

const tailOf = ({ tolerations, relaxation }: Pick<NodeTerm, 'tolerations' | 'relaxation'>): string =>
  `\n${tolerationsText(tolerations)}${toleratesSoftTaints({ relaxation }) ? '\nsoft' : ''}`;

/** The required alternatives of a pod, then the same tolerating soft taints. Preferences are added by `preferringTerm`. */
export const relaxationOrderOf = ({ alternatives }: PodRequirements, tolerations: readonly Toleration[]): readonly EqualTerms[] => {
  const termsOf = (relaxation: Relaxation): EqualTerms => {
    const tail = tailOf({ tolerations, relaxation });
    return alternatives.map((requirements) => ({
      text: `${requirementsText(requirements)}${tail}`,
      requirements,
      tolerations,
      relaxation,
    }));
  };
  return [termsOf('required'), termsOf('soft-taints')];
};

/** The term with a preference as one more requirement; undefined when the two contradict each other. */
export const preferringTerm = (term: NodeTerm, preference: Requirements): NodeTerm | undefined => {
  if (firstConflict(term.requirements, preference) !== undefined) return undefined;
  const requirements = merge(term.requirements, preference);
  return { ...term, text: `${requirementsText(requirements)}${tailOf(term)}`, requirements };
};

/** The same term for fewer nodes: only those that also meet these requirements. */
export const narrowedTerm = (term: NodeTerm, requirements: Requirements): NodeTerm => {
  if (requirements.size === 0) return term;
  return { ...term, text: `${term.text}\n\n${requirementsText(requirements)}`, requirements: merge(term.requirements, requirements) };
};
