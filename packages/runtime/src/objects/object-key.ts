import type { KubeObject } from './kube-object.ts';

/** What names an object among those of its kind. Cluster-scoped objects have no namespace. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** The key of an object. */
export const keyOf = ({ metadata: { namespace, name } }: Pick<KubeObject, 'metadata'>): ObjectKey =>
  namespace === undefined ? { name } : { namespace, name };

/** `namespace/name`, or `name` for cluster-scoped objects; equal keys give equal strings. */
export const keyString = ({ namespace, name }: ObjectKey): string =>
  namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;

/** The key that {@link keyString} wrote; names hold no slash. */
export const parseKey = (text: string): ObjectKey => {
  const slash = text.indexOf('/');
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
};
