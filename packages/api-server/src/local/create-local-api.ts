import type { Clock } from '@karpenter/runtime';
import type { ApiObject, KindRef, LocalApi, LocalEvent, LocalKey, LocalPatch } from '../public/local-api.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import { createFirstObjects } from '../engine/first-objects.ts';
import { type JsonObject, type JsonValue, thaw, valueAt } from '../json/json.ts';
import { apiVersionIn, type Resource } from '../resources/resource.ts';
import { resizablePods } from '../resources/strategies/pod-subresources.ts';
import { ApiError } from '../status/api-error.ts';
import { asJson, type StoredObject, storeKey } from '../store/stored-object.ts';
import type { StoreEvent } from '../store/history.ts';
import { createObject } from '../verbs/create.ts';
import { patchObject } from '../verbs/patch-object.ts';
import { createBinding } from '../verbs/pod-binding.ts';
import { createEviction } from '../verbs/pod-eviction.ts';
import { readObject, selectObjects } from '../verbs/read.ts';
import { removeObject } from '../verbs/remove.ts';
import { updateScale } from '../verbs/scale.ts';
import { selectionOf } from '../verbs/selection.ts';
import { finalizeNamespace, updateObject } from '../verbs/update.ts';
import { LOCAL_WRITE } from '../verbs/write-options.ts';

/** How in-process calls name resources and see objects. */
interface LocalAccess {
  /** The resource of a kind. Throws an `ApiError` (`NotFound`) when the kind is not served. */
  readonly resourceOf: (ref: string | KindRef<unknown>) => Resource;
  readonly resourceOfObject: (object: ApiObject) => Resource;
  /** A key with the namespace that the kind calls for. */
  readonly place: (resource: Resource, key: LocalKey) => { readonly name: string; readonly namespace: string | undefined };
  /** A stored object in the version of a resource; the same object gives the same form. */
  readonly seen: (resource: Resource, object: StoredObject) => unknown;
}

/** Access to an engine. */
const createLocalAccess = (engine: Engine): LocalAccess => {
  const converted = new WeakMap<Resource, WeakMap<StoredObject, JsonObject>>();
  const resourceOf = (ref: string | KindRef<unknown>): Resource => {
    const resource = engine.registry.byKind(ref);
    if (resource === undefined) throw new ApiError('NotFound', `no kind ${typeof ref === 'string' ? ref : ref.kind} is served`);
    return resource;
  };
  return {
    resourceOf,
    resourceOfObject: ({ kind, apiVersion }) => resourceOf({ kind, apiVersion }),
    place: (resource, { namespace, name }) => ({ name, namespace: resource.namespaced ? (namespace ?? 'default') : undefined }),
    seen: (resource, object) => {
      if (resource.conversion === undefined) return object;
      const forms = converted.get(resource) ?? new WeakMap<StoredObject, JsonObject>();
      converted.set(resource, forms);
      const form = forms.get(object) ?? resource.conversion.fromStored(asJson(object));
      forms.set(object, form);
      return form;
    },
  };
};

/** An API server without its HTTP side. */
export const startLocalApi = (clock: Clock): LocalApi => {
  const engine = createEngine({ clock, historySize: 1_000, seed: 1 });
  createFirstObjects(engine);
  return createLocalApi(engine);
};

/** The in-process API of an engine. */
export const createLocalApi = (engine: Engine): LocalApi => {
  const access = createLocalAccess(engine);
  return { ...readMethods(engine, access), ...writeMethods(engine, access), ...podMethods(engine, access) };
};

const readMethods = (
  engine: Engine,
  { resourceOf, place, seen }: LocalAccess,
): Pick<LocalApi, 'get' | 'list' | 'watch' | 'watchAll' | 'find' | 'kinds'> => ({
  get: <T extends ApiObject>(ref: string | KindRef<T>, key: LocalKey) => {
    const resource = resourceOf(ref);
    const { namespace, name } = place(resource, key);
    const object = engine.get(resource.storage, storeKey(namespace, name));
    return object === undefined ? undefined : (seen(resource, object) as T);
  },
  list: <T extends ApiObject>(ref: string | KindRef<T>, query = {}) => {
    const resource = resourceOf(ref);
    const objects: readonly unknown[] = selectObjects(engine, resource, selectionOf(resource, query));
    return resource.conversion === undefined ? (objects as readonly T[]) : objects.map((object) => seen(resource, object as never) as T);
  },
  watch: <T extends ApiObject>(ref: string | KindRef<T>, listener: (event: LocalEvent<T>) => void) => {
    const resource = resourceOf(ref);
    const notify = ({ type, object, previous }: StoreEvent): void =>
      listener({ type, object: seen(resource, object) as T, previous: previous && (seen(resource, previous) as T) });
    return watchFromNow(engine, resource, notify);
  },
  watchAll: (listener) => engine.store.listen(undefined, listener),
  find: (uid) => engine.store.find(uid),
  kinds: () =>
    engine.registry.all().map((resource) => ({
      apiVersion: apiVersionIn(resource),
      kind: resource.kind,
      resource: resource.storage,
      namespaced: resource.namespaced,
    })),
});

/**
 * Sends existing objects, then every change. Writes of listeners wait for their turn. Changes on their way to others
 * are included.
 */
const watchFromNow = (engine: Engine, { storage }: Resource, notify: (event: StoreEvent) => void): Disposable => {
  const since = engine.store.version;
  const present = engine.list(storage);
  const waiting: StoreEvent[] = [];
  let hear = (event: StoreEvent): void => void waiting.push(event);
  const listening = engine.store.listen(storage, (event) => {
    if (event.version > since) hear(event);
  });
  for (const object of present) notify({ type: 'ADDED', object, previous: undefined, version: since });
  for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) notify(event);
  hear = notify;
  return listening;
};

const writeMethods = (engine: Engine, access: LocalAccess): Pick<LocalApi, 'create' | 'update' | 'updateStatus' | 'patch' | 'delete'> => {
  const { resourceOf, resourceOfObject, place, seen } = access;
  const write = <T extends ApiObject>(object: T, subresource: string | undefined): T => {
    const resource = resourceOfObject(object);
    const { name = '', namespace } = object.metadata;
    const previous = readObject(engine, resource, place(resource, { name, namespace }));
    const body = thaw(object) as unknown as JsonObject;
    return seen(resource, updateObject(engine, { resource, previous, body }, { ...LOCAL_WRITE, subresource })) as T;
  };
  return {
    create: (object) => {
      const resource = resourceOfObject(object);
      const body = thaw(object) as unknown as JsonObject;
      return seen(resource, createObject(engine, { resource, namespace: object.metadata.namespace, body }, LOCAL_WRITE)) as typeof object;
    },
    update: (object) => write(object, undefined),
    updateStatus: (object) => write(object, 'status'),
    patch: <T extends ApiObject>(ref: string | KindRef<T>, key: LocalKey, patch: LocalPatch) =>
      patchLocally(engine, access, { ref, key, patch }) as T,
    delete: <T extends ApiObject>(ref: string | KindRef<T>, key: LocalKey, options = {}) => {
      const resource = resourceOf(ref);
      const object = readObject(engine, resource, place(resource, key));
      return seen(resource, removeObject(engine, { resource, object }, options).object) as T;
    },
  };
};

const patchLocally = (
  engine: Engine,
  { resourceOf, place, seen }: LocalAccess,
  { ref, key, patch }: { readonly ref: string | KindRef<unknown>; readonly key: LocalKey; readonly patch: LocalPatch },
): unknown => {
  const resource = resourceOf(ref);
  const at = place(resource, key);
  const { type, subresource, fieldManager, force = false } = patch;
  const options = { ...LOCAL_WRITE, subresource, fieldManager, force };
  const body = thaw(patch.body) as JsonValue;
  if (subresource === 'scale' && resource.scale !== undefined) {
    return updateScale(
      engine,
      { resource, object: readObject(engine, resource, at), paths: resource.scale, scale: body as JsonObject },
      options,
    );
  }
  if (subresource === 'finalize' && resource.storage === 'namespaces') {
    return finalizeNamespace(engine, readObject(engine, resource, at), valueAt(body, 'spec.finalizers'));
  }
  const written = subresource === 'resize' ? resizablePods(resource) : resource;
  return seen(resource, patchObject(engine, { resource: written, ...at, type, body }, options));
};

const podMethods = (engine: Engine, { resourceOf }: LocalAccess): Pick<LocalApi, 'bind' | 'evict'> => ({
  bind: ({ name, namespace = 'default' }, nodeName) => {
    createBinding(engine, resourceOf('Pod'), { namespace, name, body: { target: { kind: 'Node', name: nodeName } } });
  },
  evict: ({ name, namespace = 'default' }, options = {}) => createEviction(engine, { pods: resourceOf('Pod'), namespace, name, options }),
});
