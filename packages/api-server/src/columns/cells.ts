import {
  asRecord,
  conditionIs,
  type JsonObject,
  jsonList,
  type JsonValue,
  numberAt,
  objectsAt,
  plainText,
  textAt,
  valueAt,
} from '../json/json.ts';
import { selectorRequirements, selectorText } from '../selectors/label-selector.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { ageOf, humanDuration } from './human-duration.ts';

/** What a cell shows of an object; `argument` is what stands in the brackets of its column. */
type ComputedCell = (object: StoredObject, argument: string, nowMs: number) => JsonValue;

const joined = (items: readonly string[], filler = '<none>'): string => items.join(',') || filler;

const labels = (map: unknown): string => joined(Object.entries(asRecord(map)).map(([key, value]) => `${key}=${plainText(value)}`));

const selector = (value: JsonValue | undefined): string => selectorText(selectorRequirements(value) ?? []) || '<none>';

const nodeStatus = (node: StoredObject): string => {
  const condition = objectsAt(node, 'status.conditions').find(({ type }) => type === 'Ready');
  const word = condition === undefined ? 'Unknown' : condition['status'] === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, 'spec.unschedulable') === true ? `${word},SchedulingDisabled` : word;
};

const ROLE = 'node-role.kubernetes.io/';

const roles = ({ metadata }: StoredObject): string => {
  const own = Object.keys(metadata.labels ?? {}).filter((label) => label.startsWith(ROLE));
  return joined(own.map((label) => label.slice(ROLE.length)).toSorted());
};

const containerWord = (status: JsonObject): string => {
  const waiting = textAt(status, 'state.waiting.reason');
  if (waiting !== '') return waiting;
  const terminated = valueAt(status, 'state.terminated');
  if (terminated === undefined) return '';
  return textAt(terminated, 'reason') || `ExitCode:${numberAt(terminated, 'exitCode')}`;
};

const isGated = (pod: StoredObject): boolean =>
  objectsAt(pod, 'status.conditions').some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated');

/** The word of the STATUS column: the most specific reason of the pod. */
const podStatus = (pod: StoredObject): string => {
  if (pod.metadata.deletionTimestamp !== undefined) return textAt(pod, 'status.reason') === 'NodeLost' ? 'Unknown' : 'Terminating';
  const reason = objectsAt(pod, 'status.containerStatuses')
    .map(containerWord)
    .find((word) => word !== '');
  return reason ?? (isGated(pod) ? 'SchedulingGated' : textAt(pod, 'status.reason') || textAt(pod, 'status.phase'));
};

const podReady = (pod: StoredObject): string => {
  const ready = objectsAt(pod, 'status.containerStatuses').filter((status) => status['ready'] === true);
  return `${ready.length}/${objectsAt(pod, 'spec.containers').length}`;
};

const readinessGates = (pod: StoredObject): string => {
  const wanted = objectsAt(pod, 'spec.readinessGates');
  const met = wanted.filter(({ conditionType }) => conditionIs(pod, plainText(conditionType)));
  return wanted.length === 0 ? '<none>' : `${met.length}/${wanted.length}`;
};

const SHORT_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const lastSeen = (event: StoredObject): string =>
  ['series.lastObservedTime', 'lastTimestamp', 'eventTime'].map((path) => textAt(event, path)).find(Boolean) ??
  event.metadata.creationTimestamp;

/** Whether a claim has devices, and whether pods use them. Source: Kubernetes, `printResourceClaim`. */
const claimState = (claim: StoredObject): string => {
  if (valueAt(claim, 'status.allocation') === undefined) return 'pending';
  const states = ['allocated', ...(objectsAt(claim, 'status.reservedFor').length > 0 ? ['reserved'] : [])];
  return (claim.metadata.deletionTimestamp === undefined ? states : ['deleted', ...states]).join(',');
};

const nameOfClass = ({ metadata: { name, annotations = {} } }: StoredObject): string =>
  annotations['storageclass.kubernetes.io/is-default-class'] === 'true' ? `${name} (default)` : name;

const controller = ({ metadata }: StoredObject): string => {
  const owner = metadata.ownerReferences?.find((one) => one.controller === true);
  return owner === undefined ? '<none>' : `${owner.kind.toLowerCase()}/${owner.name}`;
};

/** How many items kubectl shows of a list before it says how many more there are. */
const SHOWN = 3;

const shortList = (items: readonly string[]): string => {
  if (items.length === 0) return '<unset>';
  const more = items.length > SHOWN ? ` + ${items.length - SHOWN} more...` : '';
  return `${items.slice(0, SHOWN).join(',')}${more}`;
};

const hosts = (ingress: StoredObject): string => {
  const all = objectsAt(ingress, 'spec.rules').map((rule) => textAt(rule, 'host') || '*');
  return all.length === 0 ? '*' : shortList(all);
};

const targets = (autoscaler: StoredObject): string =>
  objectsAt(autoscaler, 'spec.metrics')
    .map((metric, index) => {
      const name = textAt(metric, 'resource.name');
      const current = textAt(objectsAt(autoscaler, 'status.currentMetrics')[index], 'resource.current.averageUtilization');
      return `${name}: ${current === '' ? '<unknown>' : `${current}%`}/${textAt(metric, 'resource.target.averageUtilization')}%`;
    })
    .join(', ');

const SECONDS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

const requestedDuration = (request: StoredObject): string => {
  const seconds = valueAt(request, 'spec.expirationSeconds');
  if (typeof seconds !== 'number') return '<none>';
  const [unit, size] = SECONDS.find(([, each]) => seconds % each === 0) ?? ['s', 1];
  return `${seconds / size}${unit}`;
};

const jobDuration: ComputedCell = (job, _, nowMs) => {
  const [start, end] = [Date.parse(textAt(job, 'status.startTime')), Date.parse(textAt(job, 'status.completionTime'))];
  return Number.isNaN(start) ? '' : humanDuration((Number.isNaN(end) ? nowMs : end) - start);
};

const jobStatus = (job: StoredObject): string =>
  ['Complete', 'Failed', 'Suspended'].find((condition) => conditionIs(job, condition)) ?? 'Running';

/** Cells that are more than the text at a path, by name. Source: Kubernetes, `pkg/printers/internalversion`. */
export const CELLS: Readonly<Record<string, ComputedCell>> = {
  accessModes: (volume, path) =>
    jsonList(valueAt(volume, path))
      .map((mode) => SHORT_MODES[plainText(mode)] ?? plainText(mode))
      .join(','),
  address: (node, type) =>
    textAt(
      objectsAt(node, 'status.addresses').find((one) => one['type'] === type),
      'address',
    ) || '<none>',
  age: ({ metadata }, _, nowMs) => ageOf(metadata.creationTimestamp, nowMs),
  claimRef: (volume) =>
    valueAt(volume, 'spec.claimRef') === undefined
      ? ''
      : `${textAt(volume, 'spec.claimRef.namespace')}/${textAt(volume, 'spec.claimRef.name')}`,
  claimState,
  completions: (job) => `${numberAt(job, 'status.succeeded')}/${numberAt(job, 'spec.completions') || 1}`,
  conditionTypes: (request) =>
    joined(
      objectsAt(request, 'status.conditions').map((condition) => textAt(condition, 'type')),
      'Pending',
    ),
  containers: (object, member) =>
    objectsAt(object, 'spec.template.spec.containers')
      .map((container) => textAt(container, member))
      .join(','),
  controller,
  count: (object, path) => objectsAt(object, path).length,
  endpoints: (slice) => shortList(objectsAt(slice, 'endpoints').flatMap(({ addresses }) => jsonList(addresses).map(plainText))),
  eventSource: (event) => textAt(event, 'source.component') || textAt(event, 'reportingComponent'),
  firstSeen: (event, _, nowMs) => ageOf(textAt(event, 'firstTimestamp') || event.metadata.creationTimestamp, nowMs),
  hosts,
  ingressAddress: (ingress) =>
    objectsAt(ingress, 'status.loadBalancer.ingress')
      .map((each) => textAt(each, 'ip') || textAt(each, 'hostname'))
      .join(','),
  ingressPorts: (ingress) => (objectsAt(ingress, 'spec.tls').length > 0 ? '80, 443' : '80'),
  involvedObject: (event) => `${textAt(event, 'involvedObject.kind').toLowerCase()}/${textAt(event, 'involvedObject.name')}`,
  jobDuration,
  jobStatus,
  labels: (object, path) => labels(valueAt(object, path)),
  lastSeen: (event, _, nowMs) => ageOf(lastSeen(event), nowMs),
  nameOfClass,
  nodeStatus,
  podReady,
  podStatus,
  readinessGates,
  readyOf: (object) => `${numberAt(object, 'status.readyReplicas')}/${numberAt(object, 'spec.replicas')}`,
  requestedDuration,
  restarts: (pod) => String(objectsAt(pod, 'status.containerStatuses').reduce((sum, status) => sum + numberAt(status, 'restartCount'), 0)),
  roleRef: (binding) => `${textAt(binding, 'roleRef.kind')}/${textAt(binding, 'roleRef.name')}`,
  roles,
  scaleTarget: (autoscaler) => `${textAt(autoscaler, 'spec.scaleTargetRef.kind')}/${textAt(autoscaler, 'spec.scaleTargetRef.name')}`,
  selector: (object, path) => selector(valueAt(object, path)),
  servicePorts: (service) =>
    joined(objectsAt(service, 'spec.ports').map((port) => `${textAt(port, 'port')}/${textAt(port, 'protocol') || 'TCP'}`)),
  size: (object, paths) => paths.split(',').reduce((sum, path) => sum + Object.keys(asRecord(valueAt(object, path))).length, 0),
  slicePorts: (slice) => shortList(objectsAt(slice, 'ports').map((port) => textAt(port, 'port'))),
  suspended: (cronJob) => (valueAt(cronJob, 'spec.suspend') === true ? 'True' : 'False'),
  targets,
  trimmed: (object, path) => textAt(object, path).trim(),
};
