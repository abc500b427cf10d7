import { asRecord, type JsonObject, type JsonValue, plainText, valueAt } from '../../json/json.ts';
import { NANO, nanosIn, inNanos } from '../../quantity/quantity.ts';
import { type FieldError, invalidValue, requiredAt } from '../../status/field-error.ts';
import { qualifiedKeyProblems } from '../../validation/names.ts';

const OF_CONTAINERS = ['cpu', 'memory', 'ephemeral-storage'];
const STANDARD = [
  ...OF_CONTAINERS,
  'storage',
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
];

const isStandard = (name: string): boolean => STANDARD.includes(name) || name.startsWith('hugepages-');
const isOfContainers = (name: string): boolean => OF_CONTAINERS.includes(name) || name.startsWith('hugepages-');

/** What is wrong with the requests and limits of a container; `at` is the path of its `resources`. */
export const resourceErrors = (container: JsonObject, at: string): readonly FieldError[] => {
  const limits = asRecord(valueAt(container, 'resources.limits'));
  const requests = asRecord(valueAt(container, 'resources.requests'));
  return [
    ...Object.entries(limits).flatMap(([name, value]) => amountErrors(name, value, `${at}.limits[${name}]`)),
    ...Object.entries(requests).flatMap(([name, value]) => amountErrors(name, value, `${at}.requests[${name}]`)),
    ...Object.entries(requests).flatMap(([name, value]) => limitErrors({ name, value, limit: limits[name] }, at)),
  ];
};

const amountErrors = (name: string, value: unknown, at: string): readonly FieldError[] => {
  const nanos = inNanos(value);
  return [
    ...nameErrors(name, at),
    ...(nanos < 0n ? [invalidValue(at, value, 'must be greater than or equal to 0')] : []),
    ...(!isOfContainers(name) && nanos % NANO !== 0n ? [invalidValue(at, value, 'must be an integer')] : []),
  ];
};

const nameErrors = (name: string, at: string): readonly FieldError[] => [
  ...qualifiedKeyProblems(name).map((words) => invalidValue(at, name, words)),
  ...(name.includes('/') || isStandard(name) ? [] : [invalidValue(at, name, 'must be a standard resource type or fully qualified')]),
  ...(name.includes('/') || isOfContainers(name) ? [] : [invalidValue(at, name, 'must be a standard resource for containers')]),
];

/** Only what the node can take back may be requested below its limit or without one. */
const limitErrors = (
  { name, value, limit }: { readonly name: string; readonly value: JsonValue | undefined; readonly limit: JsonValue | undefined },
  at: string,
): readonly FieldError[] => {
  const isFirm = name.includes('/') || name.startsWith('hugepages-');
  const most = nanosIn(limit);
  const asked = inNanos(value);
  if (most === undefined) return isFirm ? [requiredAt(`${at}.limits`, 'Limit must be set for non overcommitable resources')] : [];
  if (isFirm && asked !== most) return [invalidValue(`${at}.requests`, value, `must be equal to ${name} limit of ${plainText(limit)}`)];
  return asked > most ? [invalidValue(`${at}.requests`, value, `must be less than or equal to ${name} limit of ${plainText(limit)}`)] : [];
};
