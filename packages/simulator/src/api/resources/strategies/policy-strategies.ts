import { invalidValue } from '../../status/field-error.ts';
import { objectIn, valueAt } from '../../json/value-at.ts';
import { checked } from '../../validation/checks.ts';
import { percentOfAllOrCount } from '../../validation/percent-or-count.ts';
import type { Strategy } from '../strategy.ts';

/** PodDisruptionBudgets. */
export const DISRUPTION_BUDGET_STRATEGY: Strategy = {
  nameRule: 'path',
  replacesBlindly: false,
  validate: (budget) => [
    ...(valueAt(budget, 'spec.minAvailable') !== undefined && valueAt(budget, 'spec.maxUnavailable') !== undefined
      ? [invalidValue('spec', budget['spec'], 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...checked(objectIn(budget, 'spec'), { minAvailable: [percentOfAllOrCount], maxUnavailable: [percentOfAllOrCount] }, 'spec'),
  ],
};
