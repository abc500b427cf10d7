import { ApiError, type ApiObject, type LocalApi, type LocalDeleteOptions } from '@karpenter/api-server';
import type { StartController } from '../control/control-deps.ts';
import { objectKeyOf } from '../objects/object-key.ts';
import { isBeingDeleted } from '../objects/pod.ts';

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

/**
 * What the garbage collector of kube-controller-manager does: dependents go with their last owner, in the way that the
 * owner's deletion requests. It acts inside the write that it sees; what the API server refuses stays.
 */
export const startGarbageCollector: StartController = ({ api }) => {
  const graph = createOwnerGraph(api);
  return api.watchAll(({ type, object }) => {
    graph.follow(type, object);
    if (type === 'DELETED') {
      for (const dependent of graph.dependentsOf(object.metadata.uid)) collect(api, dependent);
      for (const { uid } of object.metadata.ownerReferences ?? []) finish(api, graph, uid);
      return;
    }
    if (type === 'ADDED') collect(api, object);
    if (isBeingDeleted(object)) finish(api, graph, object.metadata.uid);
  });
};

const isServed = (api: LocalApi, { kind, apiVersion }: Pick<ApiObject, 'kind' | 'apiVersion'>): boolean =>
  api.kinds().some((served) => served.kind === kind && served.apiVersion === apiVersion);

const attempt = (api: LocalApi, object: ApiObject, write: () => void): void => {
  if (!isServed(api, object)) return;
  try {
    write();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
};

const remove = (api: LocalApi, object: ApiObject, options: LocalDeleteOptions): void => {
  attempt(api, object, () => api.delete(object, objectKeyOf(object), options));
};

const patchMetadata = (api: LocalApi, object: ApiObject, metadata: object): void => {
  attempt(api, object, () => api.patch(object, objectKeyOf(object), { type: 'merge', body: { metadata } }));
};

const find = (api: LocalApi, uid: string | undefined): ApiObject | undefined => (uid === undefined ? undefined : api.find(uid));

/** Deletes an object whose owners are all gone. An owner of a kind that is not served may be anything: it counts as there. */
const collect = (api: LocalApi, object: ApiObject): void => {
  const current = find(api, object.metadata.uid);
  if (current === undefined || isBeingDeleted(current)) return;
  const owners = current.metadata.ownerReferences ?? [];
  if (owners.length > 0 && owners.every((owner) => find(api, owner.uid) === undefined && isServed(api, owner))) remove(api, current, {});
};

/** Goes on with an owner that is deleted with the policy Orphan or Foreground. */
const finish = (api: LocalApi, graph: OwnerGraph, uid: string | undefined): void => {
  const owner = find(api, uid);
  if (owner === undefined || !isBeingDeleted(owner)) return;
  const { finalizers = [] } = owner.metadata;
  if (finalizers.includes(ORPHAN)) orphanDependents(api, graph, owner);
  else if (finalizers.includes(FOREGROUND)) deleteDependents(api, graph, owner);
};

const dropFinalizer = (api: LocalApi, owner: ApiObject, finalizer: string): void => {
  patchMetadata(api, owner, { finalizers: (owner.metadata.finalizers ?? []).filter((one) => one !== finalizer) });
};

const orphanDependents = (api: LocalApi, graph: OwnerGraph, owner: ApiObject): void => {
  const { uid } = owner.metadata;
  for (const dependent of graph.dependentsOf(uid))
    patchMetadata(api, dependent, { ownerReferences: (dependent.metadata.ownerReferences ?? []).filter((one) => one.uid !== uid) });
  dropFinalizer(api, owner, ORPHAN);
};

const deleteDependents = (api: LocalApi, graph: OwnerGraph, owner: ApiObject): void => {
  const { uid } = owner.metadata;
  for (const dependent of graph.dependentsOf(uid))
    if (!isBeingDeleted(dependent)) remove(api, dependent, { propagationPolicy: 'Foreground' });
  const isBlocking = ({ metadata }: ApiObject): boolean =>
    metadata.ownerReferences?.some((one) => one.uid === uid && one.blockOwnerDeletion === true) === true;
  if (!graph.dependentsOf(uid).some(isBlocking)) dropFinalizer(api, owner, FOREGROUND);
};

/** Who depends on whom, by the owner references of all objects. */
interface OwnerGraph {
  follow(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: ApiObject): void;
  /** The objects that name an owner. */
  dependentsOf(owner: string | undefined): readonly ApiObject[];
}

/** The graph of what is there; it has to follow every event. */
const createOwnerGraph = (api: LocalApi): OwnerGraph => {
  const dependents = new Map<string, Set<string>>();
  const owners = new Map<string, readonly string[]>();
  const unlink = (uid: string): void => {
    for (const owner of owners.get(uid) ?? []) {
      const members = dependents.get(owner);
      members?.delete(uid);
      if (members?.size === 0) dependents.delete(owner);
    }
    owners.delete(uid);
  };
  const link = ({ metadata: { uid = '', ownerReferences = [] } }: ApiObject): void => {
    const uids = ownerReferences.map((owner) => owner.uid);
    if (uids.length > 0) owners.set(uid, uids);
    for (const owner of uids) dependents.set(owner, (dependents.get(owner) ?? new Set()).add(uid));
  };
  for (const kind of api.kinds()) api.list(kind).forEach(link);
  return {
    follow: (type, object) => {
      unlink(object.metadata.uid ?? '');
      if (type !== 'DELETED') link(object);
    },
    dependentsOf: (owner = '') => [...(dependents.get(owner) ?? [])].flatMap((uid) => api.find(uid) ?? []),
  };
};
