import type { Engine } from '../engine/engine.ts';
import { thaw } from '../json/freeze.ts';
import type { JsonObject } from '../json/json.ts';
import { textAt } from '../json/value-at.ts';
import { createObject } from '../verbs/create.ts';
import { updateObject } from '../verbs/update.ts';
import { LOCAL_WRITE } from '../verbs/write-options.ts';

/** Creates a CustomResourceDefinition, or replaces it when it is there. Throws an `ApiError` when it is wrong. */
export const applyDefinition = (engine: Engine, document: JsonObject): void => {
  const resource = engine.registry.byKind('CustomResourceDefinition');
  if (resource === undefined) throw new Error('CustomResourceDefinition is not served');
  const previous = engine.get(resource.storage, textAt(document, 'metadata.name'));
  const body = thaw(document);
  if (previous === undefined) createObject(engine, { resource, namespace: undefined, body }, LOCAL_WRITE);
  else updateObject(engine, { resource, previous, body }, LOCAL_WRITE);
};
