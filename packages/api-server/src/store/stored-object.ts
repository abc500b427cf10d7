import type { KubeObjectMeta } from '@karpenter/runtime';
import type { JsonObject } from '../json/json.ts';

/** `metadata` of an object that the store holds. */
interface StoredMeta extends KubeObjectMeta {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly managedFields?: readonly JsonObject[];
}

/** An object as the store holds it: complete and deeply frozen. */
export interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: StoredMeta;
  readonly [member: string]: unknown;
}

/** The object as plain JSON; it is frozen all the same. */
export const asJson = (object: StoredObject): JsonObject => object as unknown as JsonObject;

/** JSON that admission has completed, as an object of the store. */
export const asStored = (json: JsonObject): StoredObject => json as unknown as StoredObject;

/** `namespace/name`, or the name alone for an object without a namespace. Sorts as etcd does. */
export const storeKey = (namespace: string | undefined, name: string): string =>
  namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
