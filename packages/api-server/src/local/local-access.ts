import type { KindRef, ApiObject, LocalKey } from '../public/local-api.ts';
import type { Engine } from '../engine/engine.ts';
import type { JsonObject } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import { ApiError } from '../status/api-error.ts';
import { asJson, type StoredObject } from '../store/stored-object.ts';

/** How in-process calls name resources and see objects. */
export interface LocalAccess {
  /** The resource of a kind. Throws an `ApiError` (`NotFound`) when the kind is not served. */
  readonly resourceOf: (ref: string | KindRef<unknown>) => Resource;
  readonly resourceOfObject: (object: ApiObject) => Resource;
  /** A key with the namespace that the kind calls for. */
  readonly place: (resource: Resource, key: LocalKey) => { readonly name: string; readonly namespace: string | undefined };
  /** A stored object in the version of a resource; the same object gives the same form. */
  readonly seen: (resource: Resource, object: StoredObject) => unknown;
}

/** Access to an engine. */
export const createLocalAccess = (engine: Engine): LocalAccess => {
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
