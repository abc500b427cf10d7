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

const fillProbe = (probe: unknown): void => {
  if (!isObject(probe)) return;
  fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  fillHttpGet(probe['httpGet']);
};

const fillHttpGet = (action: unknown): void => {
  if (isObject(action)) fill(action, { path: '/', scheme: 'HTTP' });
};

const fillContainer = (container: JsonObject): void => {
  fill(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicyOf(textAt(container, 'image')),
    resources: {},
  });
  for (const port of objectsAt(container, 'ports')) fill(port, { protocol: 'TCP' });
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) fillProbe(container[probe]);
  for (const hook of ['postStart', 'preStop']) fillHttpGet(valueAt(container, `lifecycle.${hook}.httpGet`));
  for (const variable of objectsAt(container, 'env')) {
    const field = valueAt(variable, 'valueFrom.fieldRef');
    if (isObject(field)) fill(field, { apiVersion: 'v1' });
  }
  const limits = asRecord(valueAt(container, 'resources.limits'));
  if (Object.keys(limits).length > 0) fill(objectIn(objectIn(container, 'resources'), 'requests'), limits);
};

const fillVolume = (volume: JsonObject): void => {
  if (Object.keys(volume).length === 1) volume['emptyDir'] = {};
  for (const source of ['configMap', 'secret', 'downwardAPI', 'projected']) {
    const found = volume[source];
    if (isObject(found)) fill(found, { defaultMode: 420 });
  }
  const path = volume['hostPath'];
  if (isObject(path)) fill(path, { type: '' });
};

/** Defaults of a pod's spec, also of the one in a template. */
export const fillPodSpec = (spec: JsonObject): void => {
  if (numberAt(spec, 'terminationGracePeriodSeconds') < 0) spec['terminationGracePeriodSeconds'] = 1;
  fill(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
    securityContext: {},
  });
  if (spec['serviceAccountName'] !== undefined) fill(spec, { serviceAccount: spec['serviceAccountName'] });
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) objectsAt(spec, list).forEach(fillContainer);
  objectsAt(spec, 'volumes').forEach(fillVolume);
};

/** Defaults of the pod template below `spec.template`. */
export const fillTemplate = (spec: JsonObject): void => {
  const template = objectIn(spec, 'template');
  objectIn(template, 'metadata');
  fillPodSpec(objectIn(template, 'spec'));
};
