import { customResources } from '../crd/custom-resource.ts';
import type { Engine } from '../engine/engine.ts';
import { textAt } from '../json/value-at.ts';

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
