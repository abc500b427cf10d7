import { invalidValue } from '../status/field-error.ts';
import type { Check } from './checks.ts';

const PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A count that is not negative, or a percentage. */
export const percentOrCount: Check = (object, member, at) => {
  const value = object[member];
  if (typeof value === 'number') return value < 0 ? [invalidValue(at, value, 'must be greater than or equal to 0')] : [];
  return typeof value !== 'string' || /^\d+%$/.test(value) ? [] : [invalidValue(at, value, PERCENT)];
};

/** The same, but at most 100 %. */
export const percentOfAllOrCount: Check = (object, member, at) => {
  const wrong = percentOrCount(object, member, at);
  const value = object[member];
  const isTooMuch = wrong.length === 0 && typeof value === 'string' && Number.parseInt(value, 10) > 100;
  return isTooMuch ? [invalidValue(at, value, 'must not be greater than 100%')] : wrong;
};
