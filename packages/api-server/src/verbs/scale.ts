import type { Engine } from '../engine/engine.ts';
import { isObject, type JsonObject, numberAt, objectIn, textAt, thaw, valueAt } from '../json/json.ts';
import { type Resource, type ScalePaths, versionedOf } from '../resources/resource.ts';
import { selectorRequirements, selectorText } from '../selectors/label-selector.ts';
import { ApiError } from '../status/api-error.ts';
import { invalidValue } from '../status/field-error.ts';
import { conflict, invalid, STALE_OBJECT } from '../status/refusals.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { updateObject } from './update.ts';
import type { WriteParams } from './write-options.ts';

const selectorOf = (object: StoredObject, { selector }: ScalePaths): string => {
  const value = selector === undefined ? undefined : valueAt(object, selector);
  if (typeof value === 'string') return value;
  const isSelector = isObject(value) && (value['matchLabels'] !== undefined || value['matchExpressions'] !== undefined);
  return selectorText(selectorRequirements(isSelector ? value : isObject(value) ? { matchLabels: value } : undefined) ?? []);
};

/**
 * The `scale` subresource of an object. Throws an `ApiError` (`InternalError`) for a custom resource that says nothing
 * of replicas.
 */
export const scaleOf = (resource: Resource, object: StoredObject, paths: ScalePaths): JsonObject => {
  if (resource.custom && valueAt(object, paths.specReplicas) === undefined) {
    const why = `the spec replicas field ".${paths.specReplicas}" does not exist`;
    throw new ApiError('InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });
  }
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = selectorOf(object, paths);
  const replicas = numberAt(object, paths.specReplicas);
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: numberAt(object, paths.statusReplicas), ...(selector === '' ? {} : { selector }) },
  };
};

/** Writes the replicas of a `Scale` to its object and returns the new scale. */
export const updateScale = (
  engine: Engine,
  target: { readonly resource: Resource; readonly object: StoredObject; readonly paths: ScalePaths; readonly scale: JsonObject },
  options: WriteParams,
): JsonObject => {
  const { resource, object, paths, scale } = target;
  const version = textAt(scale, 'metadata.resourceVersion');
  if (version !== '' && version !== object.metadata.resourceVersion) throw conflict(resource, object.metadata.name, STALE_OBJECT);
  const replicas = numberAt(scale, 'spec.replicas');
  if (replicas < 0)
    throw resource.custom
      ? invalid(resource, object.metadata.name, [
          invalidValue(`.${paths.specReplicas}`, replicas, 'should be a non-negative integer'),
          invalidValue(paths.specReplicas, replicas, `${paths.specReplicas} in body should be greater than or equal to 0`),
        ])
      : invalid({ group: 'autoscaling', plural: 'scales', kind: 'Scale' }, object.metadata.name, [
          invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
        ]);
  const body = thaw(versionedOf(resource, object));
  const members = paths.specReplicas.split('.');
  const last = members.pop() ?? '';
  members.reduce(objectIn, body)[last] = replicas;
  return scaleOf(resource, updateObject(engine, { resource, previous: object, body }, { ...options, subresource: undefined }), paths);
};
