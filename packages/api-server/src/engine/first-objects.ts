import objects from '../../data/first-objects.json' with { type: 'json' };
import { type JsonObject, plainText } from '../json/json.ts';
import type { Engine } from './engine.ts';
import { createObject } from '../verbs/create.ts';
import { LOCAL_WRITE } from '../verbs/write-options.ts';

/**
 * Creates what every cluster starts with: namespaces, the system priorities, and the first roles as far as this server
 * knows what they speak of. Source: kubernetes.io, "Default roles".
 */
export const createFirstObjects = (engine: Engine): void => {
  for (const body of objects as readonly JsonObject[]) {
    const resource = engine.registry.byKind(plainText(body['kind']));
    if (resource !== undefined) createObject(engine, { resource, namespace: undefined, body: structuredClone(body) }, LOCAL_WRITE);
  }
};
