import { asRecord, jsonEqual, jsonList, type JsonObject, type JsonValue, objectsAt, plainText } from '../../json/json.ts';
import { type FieldError, forbiddenField, invalidValue } from '../../status/field-error.ts';
import { asJson, type StoredObject } from '../../store/stored-object.ts';

const IMMUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** What an update may not do to a pod's spec. */
export const podUpdateErrors = (next: JsonObject, previous: StoredObject): readonly FieldError[] => {
  const before = asRecord(asJson(previous)['spec']);
  const after = asRecord(next['spec']);
  const gatesBefore = objectsAt(before, 'schedulingGates');
  const newGates = objectsAt(after, 'schedulingGates').filter(({ name }) => !gatesBefore.some((gate) => gate['name'] === name));
  const gated = gatesBefore.length > 0;
  const resized = ['initContainers', 'containers'].filter((list) => jsonList(before[list]).length !== jsonList(after[list]).length);
  if (resized.length > 0) return resized.map((list) => forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers'));
  return [
    ...newGates.map(({ name }) =>
      forbiddenField(
        `spec.schedulingGates[${objectsAt(after, 'schedulingGates').findIndex((gate) => gate['name'] === name)}].name`,
        `only deletion is allowed, but found new scheduling gate '${plainText(name)}'`,
      ),
    ),
    ...deadlineErrors(before['activeDeadlineSeconds'], after['activeDeadlineSeconds']),
    ...(tolerationsOnlyAdded(before, after)
      ? []
      : [forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')]),
    ...(jsonEqual(frozenPart(before, gated), frozenPart(after, gated)) ? [] : [forbiddenField('spec', IMMUTABLE)]),
  ];
};

/** A deadline may come, and come nearer. */
const deadlineErrors = (before: JsonValue | undefined, after: JsonValue | undefined): readonly FieldError[] => {
  if (typeof before !== 'number') return [];
  const at = 'spec.activeDeadlineSeconds';
  if (typeof after !== 'number') return [invalidValue(at, null, 'must not update from a positive integer to nil value')];
  return after > before ? [invalidValue(at, after, 'must be less than or equal to previous value')] : [];
};

const tolerationsOnlyAdded = (before: JsonObject, after: JsonObject): boolean => {
  const bare = (toleration: JsonObject): JsonObject => ({ ...toleration, tolerationSeconds: undefined });
  const now = objectsAt(after, 'tolerations').map(bare);
  return objectsAt(before, 'tolerations').every((toleration) => now.some((one) => jsonEqual(one, bare(toleration))));
};

const frozenPart = (spec: JsonObject, gated: boolean): JsonObject => {
  const imageless = (list: string) => jsonList(spec[list]).map((container) => ({ ...asRecord(container), image: undefined }));
  return {
    ...spec,
    containers: imageless('containers'),
    initContainers: imageless('initContainers'),
    activeDeadlineSeconds: undefined,
    tolerations: undefined,
    schedulingGates: undefined,
    ...(gated ? { nodeSelector: undefined, affinity: undefined } : {}),
  };
};
