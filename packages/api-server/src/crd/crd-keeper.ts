import { customResources } from './custom-resource.ts';
import type { Engine } from '../engine/engine.ts';
import { type JsonObject, textAt, thaw } from '../json/json.ts';
import { createObject } from '../verbs/create.ts';
import { updateObject } from '../verbs/update.ts';
import { LOCAL_WRITE } from '../verbs/write-options.ts';

/**
 * Serves the custom resources of every CustomResourceDefinition, and drops their objects with it. Part of the API
 * server itself.
 */
export const startCrdKeeper = (engine: Engine): Disposable =>
  engine.store.listen('customresourcedefinitions.apiextensions.k8s.io', ({ type, object, previous }) => {
    const storage = `${textAt(object, 'spec.names.plural')}.${textAt(object, 'spec.group')}`;
    if (type !== 'DELETED' && previous?.metadata.generation === object.metadata.generation) return;
    if (type === 'DELETED') for (const instance of engine.list(storage)) engine.store.remove(storage, instance);
    engine.registry.removeStorage(storage);
    if (type !== 'DELETED') customResources(object).forEach(engine.serve);
  });

/** Creates a CustomResourceDefinition, or replaces it when it is there. Throws an `ApiError` when it is wrong. */
export const applyDefinition = (engine: Engine, document: JsonObject): void => {
  const resource = engine.registry.byKind('CustomResourceDefinition');
  if (resource === undefined) throw new Error('CustomResourceDefinition is not served');
  const previous = engine.get(resource.storage, textAt(document, 'metadata.name'));
  const body = thaw(document);
  if (previous === undefined) createObject(engine, { resource, namespace: undefined, body }, LOCAL_WRITE);
  else updateObject(engine, { resource, previous, body }, LOCAL_WRITE);
};
