import type { User } from '../public/access.ts';
import type { Engine } from '../engine/engine.ts';
import { jsonList, asRecord } from '../json/json.ts';
import type { JsonObject } from '../json/json.ts';
import { textAt } from '../json/value-at.ts';
import { storeKey } from '../store/stored-object.ts';
import type { StoredObject } from '../store/stored-object.ts';

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
