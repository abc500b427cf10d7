import { jsonEqual } from '../../json/equal.ts';
import { thaw } from '../../json/freeze.ts';
import type { JsonObject } from '../../json/json.ts';
import { asRecord } from '../../json/json.ts';
import { objectIn, objectsAt } from '../../json/value-at.ts';
import type { FieldError } from '../../status/field-error.ts';
import { forbiddenField, invalidValue } from '../../status/field-error.ts';
import type { StoredObject } from '../../store/stored-object.ts';
import { asJson } from '../../store/stored-object.ts';
import type { Resource } from '../resource.ts';
import { qosClassOf } from './pod-qos.ts';

const specOf = (pod: StoredObject): JsonObject => asRecord(asJson(pod)['spec']);

/** What a resize may not change of a container: everything but cpu and memory. */
const frozen = (container: JsonObject): JsonObject => {
  const others = (list: unknown): JsonObject => ({ ...asRecord(list), cpu: undefined, memory: undefined });
  const resources = asRecord(container['resources']);
  return { ...container, resources: { ...resources, requests: others(resources['requests']), limits: others(resources['limits']) } };
};

const isFrozenSame = (before: JsonObject, after: JsonObject): boolean =>
  ['containers', 'initContainers'].every((list) => jsonEqual(objectsAt(before, list).map(frozen), objectsAt(after, list).map(frozen)));

/** Source: Kubernetes, `pkg/apis/core/validation`, `ValidatePodResize`. */
const resizeErrors = (next: JsonObject, previous: StoredObject): readonly FieldError[] => {
  const [before, after] = [specOf(previous), asRecord(next['spec'])];
  const qos = qosClassOf(before);
  return [
    ...(qosClassOf(after) === qos ? [] : [invalidValue('spec', qos, 'Pod QOS Class may not change as a result of resizing')]),
    ...(isFrozenSame(before, after) ? [] : [forbiddenField('spec', 'only cpu and memory resources are mutable')]),
  ];
};

/** The spec stays, but for the resources of containers. */
const takeResources = (next: JsonObject, previous: StoredObject): void => {
  const asked = objectIn(next, 'spec');
  const spec = thaw(specOf(previous));
  for (const list of ['containers', 'initContainers']) {
    const resources = new Map(objectsAt(asked, list).map((container) => [container['name'], container['resources']]));
    for (const container of objectsAt(spec, list))
      container['resources'] = resources.get(container['name']) ?? container['resources'] ?? {};
  }
  next['spec'] = spec;
};

/** Pods as their subresource `resize` writes them. */
export const resizablePods = (pods: Resource): Resource => ({
  ...pods,
  strategy: { ...pods.strategy, prepareUpdate: takeResources, validateUpdate: resizeErrors },
});
