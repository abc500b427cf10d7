import type { Engine } from '../engine/engine.ts';
import { asRecord } from '../json/json.ts';
import { asJson, type StoredObject } from '../store/stored-object.ts';
import { removeObject } from '../verbs/remove.ts';

/** Empties a namespace that is being deleted, and lets it go when the last object in it is gone. */
export const startNamespaceKeeper = (engine: Engine): Disposable => {
  const contents = (namespace: string): readonly { readonly storage: string; readonly object: StoredObject }[] =>
    [...engine.store.storages()].flatMap((storage) =>
      engine.registry.byStorage(storage)?.namespaced === true
        ? engine.store
            .table(storage)
            .ordered(namespace)
            .map((object) => ({ storage, object }))
        : [],
    );
  const empty = (name: string): void => {
    for (const { storage, object } of contents(name)) {
      const resource = engine.registry.byStorage(storage);
      const current = engine.store.find(object.metadata.uid);
      const going = current === undefined || current.metadata.deletionTimestamp !== undefined;
      if (resource !== undefined && !going) removeObject(engine, { resource, object: current }, {});
    }
  };
  const sweep = (name: string): void => {
    if (engine.get('namespaces', name)?.metadata.deletionTimestamp === undefined) return;
    empty(name);
    const namespace = engine.get('namespaces', name);
    if (namespace === undefined || contents(name).length > 0) return;
    const emptied = engine.store.put('namespaces', {
      ...asJson(namespace),
      spec: { ...asRecord(namespace['spec']), finalizers: undefined },
    });
    if ((emptied.metadata.finalizers ?? []).length === 0) engine.store.remove('namespaces', emptied);
  };
  return engine.store.listen(undefined, ({ type, object }, storage) => {
    if (storage === 'namespaces' && type === 'MODIFIED' && Array.isArray(asRecord(object['spec'])['finalizers']))
      sweep(object.metadata.name);
    const { namespace } = object.metadata;
    if (type === 'DELETED' && namespace !== undefined) sweep(namespace);
  });
};
