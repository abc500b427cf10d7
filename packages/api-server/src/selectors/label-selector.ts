import { asRecord, isObject, jsonList, type JsonValue, plainText } from '../json/json.ts';
import { badRequest } from '../status/refusals.ts';

/** One condition on one label. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

/** Labels as selectors read them. */
export type LabelMap = Readonly<Record<string, string>> | undefined;

const KEY = String.raw`[A-Za-z0-9][-A-Za-z0-9_./]*`;
const TERM = new RegExp(
  String.raw`^\s*(?:(!)\s*(${KEY})|(${KEY})(?:\s*(?:(in|notin)\s*\(([^()]*)\)|(==|=|!=)(?:\s*([-A-Za-z0-9_.]+))?))?)\s*(?:,|$)`,
);

/** Reads `a=b,c!=d,e in (f,g),h,!i`. Throws an `ApiError` (`BadRequest`) when it is none. */
export const parseLabelSelector = (text: string): readonly LabelRequirement[] => {
  const requirements: LabelRequirement[] = [];
  let rest = text;
  while (rest.trim() !== '') {
    const match = TERM.exec(rest);
    if (match === null) throw badRequest(`unable to parse requirement: found '${rest.trim()}'`);
    requirements.push(requirementOf(match));
    rest = rest.slice(match[0].length);
  }
  return requirements;
};

const requirementOf = ([, not, absentKey, key = '', set, members = '', sign, value = '']: RegExpExecArray): LabelRequirement => {
  if (not !== undefined) return { key: absentKey ?? '', operator: 'DoesNotExist', values: [] };
  if (set !== undefined) return { key, operator: set === 'in' ? 'In' : 'NotIn', values: members.split(',').map((member) => member.trim()) };
  if (sign === undefined) return { key, operator: 'Exists', values: [] };
  return { key, operator: sign === '!=' ? 'NotIn' : 'In', values: [value] };
};

/** Whether labels meet every requirement. `NotIn` also admits a missing label. */
export const matchesLabels = (requirements: readonly LabelRequirement[], labels: LabelMap): boolean =>
  requirements.every((requirement) => admits(requirement, labels));

const admits = ({ key, operator, values }: LabelRequirement, labels: LabelMap): boolean => {
  const value = labels?.[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
};

/** The requirements of a `LabelSelector` object; undefined selects nothing and gives undefined. */
export const selectorRequirements = (selector: JsonValue | undefined): readonly LabelRequirement[] | undefined => {
  if (!isObject(selector)) return undefined;
  const equal = Object.entries(asRecord(selector['matchLabels'])).map(([key, value]): LabelRequirement => ({
    key,
    operator: 'In',
    values: [plainText(value)],
  }));
  const expressions = jsonList(selector['matchExpressions']).map(asRecord);
  return [
    ...equal,
    ...expressions.map(({ key, operator, values }) => ({
      key: plainText(key),
      operator: operator as LabelRequirement['operator'],
      values: jsonList(values).map(plainText),
    })),
  ];
};

/** The selector as text, the form that `scale.status.selector` has. */
export const selectorText = (requirements: readonly LabelRequirement[]): string =>
  requirements
    .map(({ key, operator, values }) => {
      switch (operator) {
        case 'In':
          return values.length === 1 ? `${key}=${values.join('')}` : `${key} in (${values.join(',')})`;
        case 'NotIn':
          return `${key} notin (${values.join(',')})`;
        case 'Exists':
          return key;
        case 'DoesNotExist':
          return `!${key}`;
      }
    })
    .toSorted()
    .join(',');
