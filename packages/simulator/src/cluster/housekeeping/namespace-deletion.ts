import type { ApiObject, KindRef, LocalApi } from '@karpenter/api-server';
import type { StartController } from '../control/control-deps.ts';
import { objectKeyOf } from '../objects/object-key.ts';
import { isBeingDeleted } from '../objects/pod.ts';

interface Namespace extends ApiObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
}

const namespaces: KindRef<Namespace> = { kind: 'Namespace', apiVersion: 'v1' };

/** The objects of a namespace, each in one of its versions. */
const contents = (api: LocalApi, namespace: string): readonly ApiObject[] => {
  const kinds = api.kinds().filter(({ namespaced }) => namespaced);
  const objects = kinds.flatMap((kind) => api.list<ApiObject>(kind, { namespace }));
  return [...new Map(objects.map((object) => [object.metadata.uid, object])).values()];
};

const empty = (api: LocalApi, name: string): void => {
  for (const object of contents(api, name)) {
    const current = api.find(object.metadata.uid ?? '');
    if (current !== undefined && !isBeingDeleted(current)) api.delete(object, objectKeyOf(object));
  }
};

const sweep = (api: LocalApi, name: string): void => {
  const namespace = api.get(namespaces, { name });
  if (namespace === undefined || !isBeingDeleted(namespace)) return;
  empty(api, name);
  const isLeft = api.get(namespaces, { name })?.spec?.finalizers !== undefined;
  if (!isLeft || contents(api, name).length > 0) return;
  api.patch(namespaces, { name }, { type: 'merge', subresource: 'finalize', body: { spec: { finalizers: null } } });
};

/** Empties a namespace that is being deleted, and lets it go when the last object in it is gone. */
export const startNamespaceDeletion: StartController = ({ api }) =>
  api.watchAll(({ type, object }) => {
    const { name = '', namespace } = object.metadata;
    if (type === 'MODIFIED' && object.kind === namespaces.kind && object.apiVersion === namespaces.apiVersion) sweep(api, name);
    if (type === 'DELETED' && namespace !== undefined) sweep(api, namespace);
  });
