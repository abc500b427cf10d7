import { jsonEqual } from '../../json/equal.ts';
import { thaw } from '../../json/freeze.ts';
import type { JsonObject } from '../../json/json.ts';
import { asRecord } from '../../json/json.ts';
import { objectIn, objectsAt } from '../../json/value-at.ts';
import type { FieldError } from '../../status/field-error.ts';
import { forbiddenField } from '../../status/field-error.ts';
import type { StoredObject } from '../../store/stored-object.ts';
import { asJson } from '../../store/stored-object.ts';
import type { Resource } from '../resource.ts';

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
