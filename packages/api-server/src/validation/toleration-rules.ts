import { type JsonObject, textAt } from '../json/json.ts';
import { type FieldError, invalidValue, unsupported } from '../status/field-error.ts';
import { ifWritten, labelKey, isOneOf } from './checks.ts';
import { nameProblems } from './names.ts';

/** What a taint may do. */
export const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** What is wrong with a `Toleration`. Operators Lt and Gt are behind a feature gate that is off by default. */
export const tolerationErrors = (toleration: JsonObject, at: string): readonly FieldError[] => {
  const effect = textAt(toleration, 'effect');
  const isTimed = toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute';
  return [
    ...ifWritten(labelKey)(toleration, 'key', `${at}.key`),
    ...operatorErrors(toleration, `${at}.operator`),
    ...(isTimed ? [invalidValue(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")] : []),
    ...ifWritten(isOneOf(...TAINT_EFFECTS))(toleration, 'effect', `${at}.effect`),
  ];
};

const GATED = ['Lt', 'Gt'];
const KEYLESS = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';

const operatorErrors = (toleration: JsonObject, at: string): readonly FieldError[] => {
  const [operator, value] = [textAt(toleration, 'operator'), textAt(toleration, 'value')];
  const keyless = textAt(toleration, 'key') === '' && operator !== 'Exists' ? [invalidValue(at, operator, KEYLESS)] : [];
  switch (operator) {
    case '':
    case 'Equal': {
      const problems = nameProblems(value, 'labelValue');
      return problems.length === 0 ? keyless : [...keyless, invalidValue(at, value, problems.join(';'))];
    }
    case 'Exists':
      return value === '' ? [] : [invalidValue(at, value, "value must be empty when `operator` is 'Exists'")];
    default:
      return [...keyless, unsupported(at, operator, GATED.includes(operator) ? ['Equal', 'Exists', ...GATED] : ['Equal', 'Exists'])];
  }
};
