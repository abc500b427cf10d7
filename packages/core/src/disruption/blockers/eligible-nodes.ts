import type { DisruptionReason } from '../../apis/index.ts';
import { consolidationBlocker, driftBlocker, emptinessBlocker, isDrifted, isEmptyNode } from './method-blocker.ts';
import type { Surveyed } from '../pass/survey.ts';

type Eligibility = (candidate: Surveyed) => boolean;

/** In the order in which methods look. */
const eligibilities: readonly (readonly [DisruptionReason, Eligibility])[] = [
  ['Empty', (each) => isEmptyNode(each) && emptinessBlocker(each) === undefined],
  ['Drifted', (each) => isDrifted(each) && driftBlocker(each) === undefined],
  ['Underutilized', (each) => !isEmptyNode(each) && consolidationBlocker(each) === undefined],
];

/** Reason → how many of the candidates its methods may take, budgets aside. Has every reason. */
export const eligibleNodes = (candidates: readonly Surveyed[]): ReadonlyMap<DisruptionReason, number> =>
  new Map(eligibilities.map(([reason, isEligible]) => [reason, candidates.filter(isEligible).length]));
