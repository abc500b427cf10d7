import { plainText } from '../../json/plain-text.ts';
import { jsonEqual } from '../../json/equal.ts';
import type { JsonObject } from '../../json/json.ts';
import { asList, asObject } from '../../json/json.ts';
import { numberAt, objectsAt, textAt, valueAt } from '../../json/value-at.ts';
import { parseQuantity } from '../../quantity/quantity.ts';
import type { FieldError } from '../../status/field-error.ts';
import { duplicate, forbiddenField, invalidValue, required, unsupported } from '../../status/field-error.ts';
import type { StoredObject } from '../../store/stored-object.ts';
import { asJson } from '../../store/stored-object.ts';
import { labelErrors } from '../../validation/metadata.ts';
import { nameProblems } from '../../validation/names.ts';

const nanosOf = (value: unknown): bigint | undefined => (typeof value === 'string' ? parseQuantity(value)?.nanos : undefined);

/** What is wrong with a pod's spec, wherever it stands (`field` is its path). */
export const podSpecErrors = (spec: JsonObject, field: string): readonly FieldError[] => [
  ...(objectsAt(spec, 'containers').length === 0 ? [required(`${field}.containers`)] : []),
  ...['containers', 'initContainers'].flatMap((list) => containersErrors(spec, list, `${field}.${list}`)),
  ...(['Always', 'OnFailure', 'Never'].includes(textAt(spec, 'restartPolicy'))
    ? []
    : [unsupported(`${field}.restartPolicy`, spec['restartPolicy'], ['Always', 'OnFailure', 'Never'])]),
  ...labelErrors(spec['nodeSelector'], `${field}.nodeSelector`),
  ...tolerationErrors(spec, `${field}.tolerations`),
  ...spreadErrors(spec, `${field}.topologySpreadConstraints`),
];

const containersErrors = (spec: JsonObject, list: string, field: string): readonly FieldError[] => {
  const seen = new Set<string>();
  return objectsAt(spec, list).flatMap((container, index) => {
    const name = textAt(container, 'name');
    const twice = name !== '' && seen.has(name);
    seen.add(name);
    const at = `${field}[${index}]`;
    return [
      ...(name === '' ? [] : nameProblems(name, 'label').map((words) => invalidValue(`${at}.name`, name, words))),
      ...(twice ? [duplicate(`${at}.name`, name)] : []),
      ...(textAt(container, 'image') === '' ? [required(`${at}.image`)] : []),
      ...resourceErrors(container, `${at}.resources`),
    ];
  });
};

const resourceErrors = (container: JsonObject, field: string): readonly FieldError[] => {
  const limits = asObject(valueAt(container, 'resources.limits'));
  const requests = asObject(valueAt(container, 'resources.requests'));
  const negative = [
    ...Object.entries(limits).map(([name, value]) => ({ at: `${field}.limits[${name}]`, value })),
    ...Object.entries(requests).map(([name, value]) => ({ at: `${field}.requests[${name}]`, value })),
  ].filter(({ value }) => (nanosOf(value) ?? 0n) < 0n);
  const above = Object.entries(requests).filter(([name, value]) => {
    const limit = nanosOf(limits[name]);
    return limit !== undefined && (nanosOf(value) ?? 0n) > limit;
  });
  return [
    ...negative.map(({ at, value }) => invalidValue(at, value, 'must be greater than or equal to 0')),
    ...above.map(([name, value]) =>
      invalidValue(`${field}.requests`, value, `must be less than or equal to ${name} limit of ${plainText(limits[name])}`),
    ),
  ];
};

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

const OPERATORS = ['', 'Equal', 'Exists', 'Lt', 'Gt'];

const tolerationErrors = (spec: JsonObject, field: string): readonly FieldError[] =>
  objectsAt(spec, 'tolerations').flatMap((toleration, index) => [
    ...operatorErrors(toleration, `${field}[${index}].operator`),
    ...effectErrors(toleration, `${field}[${index}].effect`),
  ]);

const operatorErrors = (toleration: JsonObject, field: string): readonly FieldError[] => {
  const operator = textAt(toleration, 'operator');
  if (!OPERATORS.includes(operator)) return [unsupported(field, operator, ['Equal', 'Exists'])];
  if (operator === 'Exists') {
    const value = textAt(toleration, 'value');
    return value === '' ? [] : [invalidValue(field, value, "value must be empty when `operator` is 'Exists'")];
  }
  const words = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  return textAt(toleration, 'key') === '' ? [invalidValue(field, operator, words)] : [];
};

const effectErrors = (toleration: JsonObject, field: string): readonly FieldError[] => {
  const effect = textAt(toleration, 'effect');
  if (effect !== '' && !EFFECTS.includes(effect)) return [unsupported(field, effect, EFFECTS)];
  const timed = toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute';
  return timed ? [invalidValue(field, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")] : [];
};

const spreadErrors = (spec: JsonObject, field: string): readonly FieldError[] =>
  objectsAt(spec, 'topologySpreadConstraints').flatMap((constraint, index) => [
    ...(numberAt(constraint, 'maxSkew') > 0
      ? []
      : [invalidValue(`${field}[${index}].maxSkew`, numberAt(constraint, 'maxSkew'), 'must be greater than zero')]),
    ...(['DoNotSchedule', 'ScheduleAnyway'].includes(textAt(constraint, 'whenUnsatisfiable'))
      ? []
      : [
          unsupported(`${field}[${index}].whenUnsatisfiable`, textAt(constraint, 'whenUnsatisfiable'), ['DoNotSchedule', 'ScheduleAnyway']),
        ]),
  ]);

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
