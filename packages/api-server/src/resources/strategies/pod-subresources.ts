import { asRecord, jsonEqual, type JsonObject, objectIn, objectsAt, thaw } from '../../json/json.ts';
import { type FieldError, forbiddenField, invalidValue } from '../../status/field-error.ts';
import { asJson, type StoredObject } from '../../store/stored-object.ts';
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

const LIST = 'ephemeralContainers';

/** The spec stays, but for the ephemeral containers. */
const takeEphemeralContainers = (next: JsonObject, previous: StoredObject): void => {
  const asked = objectsAt(next, `spec.${LIST}`);
  next['spec'] = { ...thaw(asRecord(asJson(previous)['spec'])), [LIST]: [...asked] };
};

/** Source: Kubernetes, `pkg/apis/core/validation`, `ValidatePodEphemeralContainersUpdate`. */
const keptErrors = (next: JsonObject, previous: StoredObject): readonly FieldError[] => {
  const now = objectsAt(objectIn(next, 'spec'), LIST);
  return objectsAt(asJson(previous), `spec.${LIST}`)
    .filter((before) => !now.some((after) => jsonEqual(after, before)))
    .map(() => forbiddenField(`spec.${LIST}`, 'existing ephemeral containers may not be changed or removed'));
};

/** Pods as their subresource `ephemeralcontainers` writes them. */
export const debuggablePods = (pods: Resource): Resource => ({
  ...pods,
  strategy: { ...pods.strategy, prepareUpdate: takeEphemeralContainers, validateUpdate: keptErrors },
});
