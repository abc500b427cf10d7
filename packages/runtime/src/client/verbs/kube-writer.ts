import type { KubeObject } from '../../objects/kube-object.ts';
import { keyOf, type ObjectKey } from '../../objects/object-key.ts';
import { isOtherObject } from '../classify.ts';
import { acceptedBody, foundBody, type KindCalls } from './kind-calls.ts';
import type { DeleteOptions, Deletion, KubeClient, WriteOptions } from './kube-client.ts';
import { type Patch, patchContentTypes } from './patch.ts';
import { collectionPath, objectPath } from './resource-path.ts';
import type { TransportResponse } from '../transport/transport.ts';

type Subresource = '' | '/status';

const writeQuery = ({ fieldManager, dryRun }: WriteOptions) => ({ fieldManager, dryRun: dryRun === true ? 'All' : undefined });

const deleteBody = ({ uid, resourceVersion, gracePeriodSeconds, propagationPolicy }: DeleteOptions): object => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  gracePeriodSeconds,
  propagationPolicy,
  preconditions: uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion },
});

const deletionOf = (response: TransportResponse, uid: string | undefined): Deletion => {
  if (response.status === 404 || (uid !== undefined && isOtherObject(response))) return 'gone';
  const { kind, metadata } = acceptedBody(response) as KubeObject;
  return kind !== 'Status' && metadata.deletionTimestamp !== undefined ? 'terminating' : 'deleted';
};

const put =
  ({ transport, kindOf }: KindCalls, subresource: Subresource) =>
  async <T extends KubeObject>(kind: string, object: T, options: WriteOptions = {}): Promise<T | undefined> => {
    const path = objectPath(kindOf(kind), keyOf(object)) + subresource;
    const { signal } = options;
    return foundBody(
      await transport.send({ method: 'PUT', path, operation: `update ${kind}`, query: writeQuery(options), body: object, signal }),
    ) as T | undefined;
  };

const patchAt =
  ({ transport, kindOf }: KindCalls, subresource: Subresource) =>
  async <T extends KubeObject>(kind: string, key: ObjectKey, patch: Patch): Promise<T | undefined> => {
    const { signal, body, type, fieldManager } = patch;
    const path = objectPath(kindOf(kind), key) + subresource;
    const query = { fieldManager, force: patch.type === 'apply' ? patch.force : undefined };
    const contentType = patchContentTypes[type];
    return foundBody(await transport.send({ method: 'PATCH', path, operation: `patch ${kind}`, query, body, contentType, signal })) as
      T | undefined;
  };

/** The verbs that write whole objects. */
export const kubeWriter = (
  calls: KindCalls,
): Pick<KubeClient, 'create' | 'update' | 'updateStatus' | 'patch' | 'patchStatus' | 'delete'> => ({
  create: async <T extends KubeObject>(kind: string, object: T, options: WriteOptions = {}): Promise<T> => {
    const path = collectionPath(calls.kindOf(kind), object.metadata.namespace);
    const { signal } = options;
    const query = writeQuery(options);
    return acceptedBody(
      await calls.transport.send({ method: 'POST', path, operation: `create ${kind}`, query, body: object, signal }),
    ) as T;
  },
  update: put(calls, ''),
  updateStatus: put(calls, '/status'),
  patch: patchAt(calls, ''),
  patchStatus: patchAt(calls, '/status'),
  delete: async (kind, key, options = {}) => {
    const path = objectPath(calls.kindOf(kind), key);
    const { signal, uid } = options;
    return deletionOf(
      await calls.transport.send({ method: 'DELETE', path, operation: `delete ${kind}`, body: deleteBody(options), signal }),
      uid,
    );
  },
});
