import { jsonEqual } from '../../json/equal.ts';
import type { JsonObject } from '../../json/json.ts';
import { asList, asObject } from '../../json/json.ts';
import { objectsAt } from '../../json/value-at.ts';
import type { FieldError } from '../../status/field-error.ts';
import { forbiddenField } from '../../status/field-error.ts';
import type { StoredObject } from '../../store/stored-object.ts';
import { asJson } from '../../store/stored-object.ts';

const IMMUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** What an update may not do to a pod's spec. */
export const podUpdateErrors = (next: JsonObject, previous: StoredObject): readonly FieldError[] => {
  const before = asObject(asJson(previous)['spec']);
  const after = asObject(next['spec']);
  const gatesBefore = objectsAt(before, 'schedulingGates');
  const newGates = objectsAt(after, 'schedulingGates').filter(({ name }) => !gatesBefore.some((gate) => gate['name'] === name));
  const gated = gatesBefore.length > 0;
  return [
    ...(newGates.length > 0 ? [forbiddenField('spec.schedulingGates', 'only deletion is allowed, but found new scheduling gate(s)')] : []),
    ...(tolerationsOnlyAdded(before, after)
      ? []
      : [forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')]),
    ...(jsonEqual(frozenPart(before, gated), frozenPart(after, gated)) ? [] : [forbiddenField('spec', IMMUTABLE)]),
  ];
};

const tolerationsOnlyAdded = (before: JsonObject, after: JsonObject): boolean => {
  const bare = (toleration: JsonObject): JsonObject => ({ ...toleration, tolerationSeconds: undefined });
  const now = objectsAt(after, 'tolerations').map(bare);
  return objectsAt(before, 'tolerations').every((toleration) => now.some((one) => jsonEqual(one, bare(toleration))));
};

const frozenPart = (spec: JsonObject, gated: boolean): JsonObject => {
  const imageless = (list: string) => asList(spec[list]).map((container) => ({ ...asObject(container), image: undefined }));
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
