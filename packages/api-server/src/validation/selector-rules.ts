import { jsonList, type JsonObject, objectsAt, plainText, textAt } from '../json/json.ts';
import { duplicate, type FieldError, forbiddenField, invalidValue, requiredAt } from '../status/field-error.ts';
import { errorsOf, labelKey } from './checks.ts';
import { labelErrors } from './metadata.ts';
import { nameProblems } from './names.ts';

type CountRule = (count: number) => { readonly required: string } | { readonly forbidden: string } | undefined;

const SOME: CountRule = (count) => (count > 0 ? undefined : { required: "must be specified when `operator` is 'In' or 'NotIn'" });
const NONE: CountRule = (count) =>
  count === 0 ? undefined : { forbidden: "may not be specified when `operator` is 'Exists' or 'DoesNotExist'" };
const SINGLE: CountRule = (count) =>
  count === 1 ? undefined : { required: "must be specified single value when `operator` is 'Lt' or 'Gt'" };
const ONE_NAME: CountRule = (count) =>
  count === 1 ? undefined : { required: "must be only one value when `operator` is 'In' or 'NotIn' for node field selector" };

type Operators = Readonly<Record<string, CountRule>>;
const LABEL_OPERATORS: Operators = { In: SOME, NotIn: SOME, Exists: NONE, DoesNotExist: NONE };
const NODE_OPERATORS: Operators = { ...LABEL_OPERATORS, Gt: SINGLE, Lt: SINGLE };
const FIELD_OPERATORS: Operators = { In: ONE_NAME, NotIn: ONE_NAME };

const operatorErrors = (requirement: JsonObject, operators: Operators, at: string): readonly FieldError[] => {
  const operator = textAt(requirement, 'operator');
  const rule = operators[operator];
  if (rule === undefined) return [invalidValue(`${at}.operator`, operator, 'not a valid selector operator')];
  const problem = rule(jsonList(requirement['values']).length);
  if (problem === undefined) return [];
  return 'required' in problem ? [requiredAt(`${at}.values`, problem.required)] : [forbiddenField(`${at}.values`, problem.forbidden)];
};

const expressionErrors = (requirement: JsonObject, operators: Operators, at: string): readonly FieldError[] => [
  ...operatorErrors(requirement, operators, at),
  ...labelKey(requirement, 'key', `${at}.key`),
  ...jsonList(requirement['values']).flatMap((value, index) =>
    nameProblems(plainText(value), 'labelValue').map((words) => invalidValue(`${at}.values[${index}]`, value, words)),
  ),
];

const fieldErrors = (requirement: JsonObject, at: string): readonly FieldError[] => {
  const key = textAt(requirement, 'key');
  return [
    ...operatorErrors(requirement, FIELD_OPERATORS, at),
    ...(key === 'metadata.name' ? [] : [invalidValue(`${at}.key`, key, 'not a valid field selector key')]),
  ];
};

/** What is wrong with a `LabelSelector`. */
export const labelSelectorErrors = (selector: JsonObject, at: string): readonly FieldError[] => [
  ...labelErrors(selector['matchLabels'], `${at}.matchLabels`),
  ...objectsAt(selector, 'matchExpressions').flatMap((one, index) =>
    expressionErrors(one, LABEL_OPERATORS, `${at}.matchExpressions[${index}]`),
  ),
];

/** What is wrong with a `NodeSelectorTerm`. */
export const nodeSelectorTermErrors = (term: JsonObject, at: string): readonly FieldError[] => [
  ...objectsAt(term, 'matchExpressions').flatMap((one, index) => expressionErrors(one, NODE_OPERATORS, `${at}.matchExpressions[${index}]`)),
  ...objectsAt(term, 'matchFields').flatMap((one, index) => fieldErrors(one, `${at}.matchFields[${index}]`)),
];

/** What is wrong with one requirement of a StorageClass's `allowedTopologies`. */
export const topologyErrors = (requirement: JsonObject, at: string): readonly FieldError[] => {
  const values = jsonList(requirement['values']).map(plainText);
  return [
    ...(values.length === 0 ? [requiredAt(`${at}.values`)] : []),
    ...values.flatMap((value, index) => (values.indexOf(value) < index ? [duplicate(`${at}.values[${index}]`, value)] : [])),
    ...errorsOf(requirement, { key: [labelKey] }, at),
  ];
};

/** Terms of a StorageClass's `allowedTopologies` that say nothing, or nothing new. */
export const repeatedTopologies = (storageClass: JsonObject, at: string): readonly FieldError[] => {
  const seen = new Set(['[]']);
  return objectsAt(storageClass, 'allowedTopologies').flatMap((term, index) => {
    const id = JSON.stringify(jsonList(term['matchLabelExpressions']));
    const known = seen.has(id);
    seen.add(id);
    return known ? [duplicate(`${at}allowedTopologies[${index}].matchLabelExpressions`, '')] : [];
  });
};
