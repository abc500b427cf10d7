import type { ApiObject, LocalKey } from '@karpenter/api-server';

/** `namespace/name`, or the name alone where there is no namespace. */
export const objectKeyText = ({ metadata }: ApiObject): string =>
  metadata.namespace === undefined ? (metadata.name ?? '') : `${metadata.namespace}/${metadata.name ?? ''}`;

/** The inverse of `keyOf`. */
export const parseObjectKey = (key: string): LocalKey => {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
};

/** Where an object is found: what reads and writes of the API take. */
export const objectKeyOf = ({ metadata: { name = '', namespace } }: ApiObject): LocalKey => ({ name, namespace });
