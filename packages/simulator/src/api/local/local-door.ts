import type { KindRef, KubeObject, ObjectKey } from '../door/kube-object.ts';
import type { LocalApi, LocalEvent } from '../door/local-api.ts';
import type { Engine } from '../engine/engine.ts';
import { thaw } from '../json/freeze.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import { ApiError } from '../status/api-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { asJson, keyOf } from '../store/stored-object.ts';
import { createObject } from '../verbs/create.ts';
import { patchObject } from '../verbs/patch-object.ts';
import { bindPod } from '../verbs/pod-binding.ts';
import { evictPod } from '../verbs/pod-eviction.ts';
import { readObject, selectObjects } from '../verbs/read.ts';
import { removeObject } from '../verbs/remove.ts';
import { updateScale } from '../verbs/scale.ts';
import { selectionOf } from '../verbs/selection.ts';
import { updateObject } from '../verbs/update.ts';
import { LOCAL_WRITE } from '../verbs/write-options.ts';

const converted = new WeakMap<StoredObject, JsonObject>();

/** The in-process door of an engine. */
export const createLocalApi = (engine: Engine): LocalApi => {
  const resourceOf = <T>(ref: string | KindRef<T>): Resource => {
    const resource = engine.registry.byKind(ref);
    if (resource === undefined) throw new ApiError('NotFound', `no kind ${typeof ref === 'string' ? ref : ref.kind} is served`);
    return resource;
  };
  const place = (resource: Resource, { namespace, name }: ObjectKey) => ({
    name,
    namespace: resource.namespaced ? (namespace ?? 'default') : undefined,
  });
  const as = <T>(resource: Resource, object: StoredObject): T => {
    if (resource.conversion === undefined) return object as unknown as T;
    const known = converted.get(object) ?? resource.conversion.fromStored(asJson(object));
    converted.set(object, known);
    return known as unknown as T;
  };
  const kindOf = ({ kind, apiVersion }: KubeObject): Resource => resourceOf({ kind, apiVersion });
  const write = <T extends KubeObject>(object: T, subresource: string | undefined): T => {
    const resource = kindOf(object);
    const { name = '', namespace } = object.metadata;
    const previous = readObject(engine, resource, place(resource, { name, namespace }));
    return as(
      resource,
      updateObject(engine, { resource, previous, body: thaw(object) as unknown as JsonObject }, { ...LOCAL_WRITE, subresource }),
    );
  };
  const pods = (): Resource => resourceOf('Pod');
  return {
    get: (ref, key) => {
      const resource = resourceOf(ref);
      const { namespace, name } = place(resource, key);
      const object = engine.get(resource.storage, keyOf(namespace, name));
      return object === undefined ? undefined : as(resource, object);
    },
    list: (ref, query = {}) => {
      const resource = resourceOf(ref);
      return selectObjects(engine, resource, selectionOf(resource, query)).map((object) => as(resource, object));
    },
    create: (object) => {
      const resource = kindOf(object);
      const body = thaw(object) as unknown as JsonObject;
      return as(resource, createObject(engine, { resource, namespace: object.metadata.namespace, body }, LOCAL_WRITE));
    },
    update: (object) => write(object, undefined),
    updateStatus: (object) => write(object, 'status'),
    patch: (ref, key, { type, body, subresource, fieldManager, force = false }) => {
      const resource = resourceOf(ref);
      const at = place(resource, key);
      const options = { ...LOCAL_WRITE, subresource, fieldManager, force };
      if (subresource === 'scale' && resource.scale !== undefined) {
        const object = readObject(engine, resource, at);
        return updateScale(engine, { resource, object, paths: resource.scale, scale: body as JsonObject }, options) as never;
      }
      return as(resource, patchObject(engine, { resource, ...at, type, body: thaw(body) as JsonValue }, options));
    },
    delete: (ref, key, options = {}) => {
      const resource = resourceOf(ref);
      const object = readObject(engine, resource, place(resource, key));
      return as(resource, removeObject(engine, { resource, object }, options).object);
    },
    bind: (key, nodeName) => {
      bindPod(engine, pods(), {
        namespace: key.namespace ?? 'default',
        name: key.name,
        body: { target: { kind: 'Node', name: nodeName } },
      });
    },
    evict: (key, options = {}) => evictPod(engine, { pods: pods(), namespace: key.namespace ?? 'default', name: key.name, options }),
    watch: <T extends KubeObject>(ref: string | KindRef<T>, listener: (event: LocalEvent<T>) => void) => {
      const resource = resourceOf(ref);
      for (const object of engine.list(resource.storage)) listener({ type: 'ADDED', object: as(resource, object) });
      return engine.store.listen(resource.storage, ({ type, object }) => listener({ type, object: as(resource, object) }));
    },
  };
};
