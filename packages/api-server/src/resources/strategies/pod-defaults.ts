import { asRecord, isObject, type JsonObject, numberAt, objectIn, objectsAt, textAt, valueAt } from '../../json/json.ts';
import type { StoredObject } from '../../store/stored-object.ts';

/** Sets members that are missing. */
export const fill = (object: JsonObject, defaults: JsonObject): void => {
  for (const [name, value] of Object.entries(defaults)) object[name] ??= structuredClone(value);
};

/** Sets these members of the spec to what they were, where an update leaves them out. */
export const keepMissing = (next: JsonObject, previous: StoredObject, members: readonly string[]): void => {
  const before = asRecord(previous['spec']);
  const spec = objectIn(next, 'spec');
  for (const member of members) if (before[member] !== undefined) spec[member] ??= before[member];
};

/** Sets members that are missing, also those of objects that are there. */
export const fillDeep = (object: JsonObject, defaults: JsonObject): void => {
  for (const [name, value] of Object.entries(defaults)) {
    const own = object[name];
    if (isObject(own) && isObject(value)) fillDeep(own, value);
    else object[name] ??= structuredClone(value);
  }
};

const IMAGE = /^[a-z0-9]+(?:[._/:-][\w./:-]*\w)?(?:@[a-z0-9]+:[a-f0-9]+)?$/;

/** An image that cannot be read has no tag that could move. */
const pullPolicyOf = (image: string): string => {
  if (!IMAGE.test(image) || image.length > 255) return 'IfNotPresent';
  const name = image.slice(image.lastIndexOf('/') + 1);
  if (name.includes('@')) return 'IfNotPresent';
  return !name.includes(':') || name.endsWith(':latest') ? 'Always' : 'IfNotPresent';
};

const fillContainer = (container: JsonObject): void => {
  fill(container, { imagePullPolicy: pullPolicyOf(textAt(container, 'image')) });
  const limits = asRecord(valueAt(container, 'resources.limits'));
  if (Object.keys(limits).length > 0) fill(objectIn(objectIn(container, 'resources'), 'requests'), limits);
};

/** Defaults of a pod's spec that are no constants, also of the one in a template. */
export const fillPodSpec = (spec: JsonObject): void => {
  if (numberAt(spec, 'terminationGracePeriodSeconds') < 0) spec['terminationGracePeriodSeconds'] = 1;
  if (spec['serviceAccountName'] !== undefined) fill(spec, { serviceAccount: spec['serviceAccountName'] });
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) objectsAt(spec, list).forEach(fillContainer);
  for (const volume of objectsAt(spec, 'volumes')) if (Object.keys(volume).length === 1) volume['emptyDir'] = {};
};

/** Defaults of the pod template below `spec.template`. */
export const fillTemplate = (spec: JsonObject): void => {
  const template = objectIn(spec, 'template');
  objectIn(template, 'metadata');
  fillPodSpec(objectIn(template, 'spec'));
};
