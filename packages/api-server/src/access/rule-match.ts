import { jsonList } from '../json/json.ts';
import type { JsonObject } from '../json/json.ts';
import type { Attributes } from './attributes.ts';

const holds = (rule: JsonObject, field: string, ...accepted: readonly string[]): boolean =>
  jsonList(rule[field]).some((value) => value === '*' || (typeof value === 'string' && accepted.includes(value)));

const holdsResource = (rule: JsonObject, resource: string): boolean => {
  const [, subresource] = resource.split('/');
  return holds(rule, 'resources', resource, ...(subresource === undefined ? [] : [`*/${subresource}`]));
};

/**
 * Whether a rule of a role allows this. A rule for named objects allows nothing that names none. Source: kubernetes.io,
 * "Using RBAC Authorization".
 */
export const ruleAllows = (rule: JsonObject, { verb, group, resource, name }: Attributes): boolean => {
  const names = jsonList(rule['resourceNames']);
  return (
    holds(rule, 'verbs', verb) &&
    holds(rule, 'apiGroups', group) &&
    holdsResource(rule, resource) &&
    (names.length === 0 || (name !== undefined && names.includes(name)))
  );
};

/** Whether a rule allows a verb on a path that is no resource; a trailing `*` stands for the rest of the path. */
export const ruleAllowsPath = (rule: JsonObject, verb: string, path: string): boolean =>
  holds(rule, 'verbs', verb) &&
  jsonList(rule['nonResourceURLs'])
    .map(String)
    .some((url) => (url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path));
