import type { FieldError } from '../../status/field-error.ts';
import type { JsonObject } from '../../json/json.ts';
import { invalidValue } from '../../status/field-error.ts';
import { valueAt } from '../../json/value-at.ts';
import type { Strategy } from '../strategy.ts';

const boundErrors = (budget: JsonObject, field: string): readonly FieldError[] => {
  const value = valueAt(budget, `spec.${field}`);
  if (typeof value === 'number') return value < 0 ? [invalidValue(`spec.${field}`, value, 'must be greater than or equal to 0')] : [];
  if (typeof value !== 'string') return [];
  const percent = /^(\d+)%$/.exec(value);
  if (percent === null)
    return [
      invalidValue(
        `spec.${field}`,
        value,
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ),
    ];
  return Number(percent[1]) > 100 ? [invalidValue(`spec.${field}`, value, 'must not be greater than 100%')] : [];
};

/** PodDisruptionBudgets. */
export const DISRUPTION_BUDGET_STRATEGY: Strategy = {
  validate: (budget) => [
    ...(valueAt(budget, 'spec.minAvailable') !== undefined && valueAt(budget, 'spec.maxUnavailable') !== undefined
      ? [invalidValue('spec', budget['spec'], 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...boundErrors(budget, 'minAvailable'),
    ...boundErrors(budget, 'maxUnavailable'),
  ],
};
