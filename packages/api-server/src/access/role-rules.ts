import type { User } from '../public/access.ts';
import type { Engine } from '../engine/engine.ts';
import { asRecord, jsonList, type JsonObject, textAt } from '../json/json.ts';
import { type StoredObject, storeKey } from '../store/stored-object.ts';
import type { Attributes } from './attributes.ts';

const RBAC = 'rbac.authorization.k8s.io';

const isSubject = (subject: JsonObject, { name, groups }: User, ownNamespace: string | undefined): boolean => {
  switch (subject['kind']) {
    case 'User':
      return subject['name'] === name;
    case 'Group':
      return groups.includes(textAt(subject, 'name'));
    case 'ServiceAccount':
      return name === `system:serviceaccount:${textAt(subject, 'namespace') || (ownNamespace ?? '')}:${textAt(subject, 'name')}`;
    default:
      return false;
  }
};

const rulesOf = (engine: Engine, binding: StoredObject): readonly JsonObject[] => {
  const { namespace } = binding.metadata;
  const isRole = textAt(binding, 'roleRef.kind') === 'Role';
  const name = textAt(binding, 'roleRef.name');
  const role = isRole ? engine.get(`roles.${RBAC}`, storeKey(namespace, name)) : engine.get(`clusterroles.${RBAC}`, name);
  return jsonList(role?.['rules']).map(asRecord);
};

/**
 * The rules that hold for a user in a namespace, or for the cluster as a whole where there is none. Aggregated roles
 * are not followed.
 */
export const rulesFor = (engine: Engine, user: User, namespace: string | undefined): readonly JsonObject[] => {
  const everywhere = engine.list(`clusterrolebindings.${RBAC}`);
  const here = engine.list(`rolebindings.${RBAC}`).filter(({ metadata }) => namespace !== undefined && metadata.namespace === namespace);
  return [...everywhere, ...here]
    .filter((binding) => jsonList(binding['subjects']).some((subject) => isSubject(asRecord(subject), user, binding.metadata.namespace)))
    .flatMap((binding) => rulesOf(engine, binding));
};

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
