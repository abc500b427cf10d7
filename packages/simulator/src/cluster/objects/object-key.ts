import type { ApiObject, LocalKey } from '@karpenter/api-server';

/** `namespace/name`, or the name alone where there is no namespace. `parseKey` reads it. */
export const objectKeyText = ({ metadata }: ApiObject): string =>
  metadata.namespace === undefined ? (metadata.name ?? '') : `${metadata.namespace}/${metadata.name ?? ''}`;

/** Where an object is found: what reads and writes of the API take. */
export const objectKeyOf = ({ metadata: { name = '', namespace } }: ApiObject): LocalKey => ({ name, namespace });
