import { invalidValue } from '../../status/field-error.ts';
import { numberAt, objectIn, valueAt } from '../../json/json.ts';
import { errorsOf, percentOfAllOrCount } from '../../validation/checks.ts';
import type { Strategy } from '../strategy.ts';

const COUNTS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'].map((member) => `status.${member}`);

/** PodDisruptionBudgets. */
export const DISRUPTION_BUDGET_STRATEGY: Strategy = {
  validate: (budget) => [
    ...(valueAt(budget, 'spec.minAvailable') !== undefined && valueAt(budget, 'spec.maxUnavailable') !== undefined
      ? [invalidValue('spec', budget['spec'], 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...COUNTS.map((member) => ({ member, count: numberAt(budget, member) }))
      .filter(({ count }) => count < 0)
      .map(({ member, count }) => invalidValue(member, count, 'must be greater than or equal to 0')),
    ...errorsOf(objectIn(budget, 'spec'), { minAvailable: [percentOfAllOrCount], maxUnavailable: [percentOfAllOrCount] }, 'spec'),
  ],
};
