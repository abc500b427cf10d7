import type { ObjectKey } from '../../objects/object-key.ts';
import type { ResourceKind } from '../../objects/resource-kind.ts';

/** `/apis/karpenter.sh/v1/nodepools`, or within a namespace; without a namespace a namespaced kind means all of them. */
export const collectionPath = ({ group, version, plural, namespaced }: ResourceKind, namespace?: string): string => {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${plural}`;
};

/** The path of one object. A namespaced kind without a namespace is a bug of the caller. */
export const objectPath = (kind: ResourceKind, { namespace, name }: ObjectKey): string => {
  if (name === '' || (kind.namespaced && namespace === undefined))
    throw new TypeError(`${kind.kind} ${JSON.stringify(name)} has no full key`);
  return `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;
};
