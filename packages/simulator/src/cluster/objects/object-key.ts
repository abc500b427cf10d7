import type { ApiObject, LocalKey } from '@karpenter/api-server';
import { keyString } from '@karpenter/runtime';

/** `namespace/name`, or the name alone where there is no namespace. `parseKey` reads it. */
export const objectKeyText = ({ metadata: { name = '', namespace = '' } }: ApiObject): string => keyString({ name, namespace });

/** Where an object is found: what reads and writes of the API take. */
export const objectKeyOf = ({ metadata: { name = '', namespace } }: ApiObject): LocalKey => ({ name, namespace });
