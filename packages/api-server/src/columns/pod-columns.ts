import type { JsonObject } from '../json/json.ts';
import { numberAt, objectsAt, textAt, valueAt } from '../json/value-at.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { TableColumn } from './column.ts';
import { column, wideColumn } from './column.ts';
import { AGE, NAME } from './shared-columns.ts';

const ready = (pod: StoredObject): string => {
  const statuses = objectsAt(pod, 'status.containerStatuses');
  return `${statuses.filter(({ ready: is }) => is === true).length}/${objectsAt(pod, 'spec.containers').length}`;
};

const restarts = (pod: StoredObject): string =>
  String(objectsAt(pod, 'status.containerStatuses').reduce((sum, status) => sum + numberAt(status, 'restartCount'), 0));

/** The word of the STATUS column: the most specific reason of the pod. */
const podStatusWord = (pod: StoredObject): string => {
  if (pod.metadata.deletionTimestamp !== undefined) return textAt(pod, 'status.reason') === 'NodeLost' ? 'Unknown' : 'Terminating';
  const containers = objectsAt(pod, 'status.containerStatuses');
  const reason = containers.map(containerWord).find((word) => word !== '');
  return reason ?? (gated(pod) ? 'SchedulingGated' : textAt(pod, 'status.reason') || textAt(pod, 'status.phase'));
};

const containerWord = (status: JsonObject): string => {
  const waiting = textAt(status, 'state.waiting.reason');
  if (waiting !== '') return waiting;
  const terminated = valueAt(status, 'state.terminated');
  if (terminated === undefined) return '';
  return textAt(terminated, 'reason') || `ExitCode:${numberAt(terminated, 'exitCode')}`;
};

const gated = (pod: StoredObject): boolean =>
  objectsAt(pod, 'status.conditions').some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated');

const gates = (pod: StoredObject): string => {
  const wanted = objectsAt(pod, 'spec.readinessGates');
  const met = wanted.filter(({ conditionType }) =>
    objectsAt(pod, 'status.conditions').some(({ type, status }) => type === conditionType && status === 'True'),
  );
  return wanted.length === 0 ? '<none>' : `${met.length}/${wanted.length}`;
};

/** What `kubectl get pods` shows. */
export const POD_COLUMNS: readonly TableColumn[] = [
  NAME,
  column('Ready', ready),
  column('Status', podStatusWord),
  column('Restarts', restarts),
  AGE,
  wideColumn('IP', (pod) => textAt(pod, 'status.podIP') || '<none>'),
  wideColumn('Node', (pod) => textAt(pod, 'spec.nodeName') || '<none>'),
  wideColumn('Nominated Node', (pod) => textAt(pod, 'status.nominatedNodeName') || '<none>'),
  wideColumn('Readiness Gates', gates),
];
