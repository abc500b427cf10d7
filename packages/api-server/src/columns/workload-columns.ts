import { numberAt, objectsAt, textAt, valueAt } from '../json/value-at.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { TableColumn } from './column.ts';
import { column } from './column.ts';
import { humanDuration } from './human-duration.ts';
import { AGE, CONTAINERS, countColumn, labelCell, NAME, SELECTOR, textColumn } from './shared-columns.ts';

const readyOf = (object: StoredObject): string => `${numberAt(object, 'status.readyReplicas')}/${numberAt(object, 'spec.replicas')}`;

const duration = (job: StoredObject, nowMs: number): string => {
  const start = Date.parse(textAt(job, 'status.startTime'));
  const end = Date.parse(textAt(job, 'status.completionTime'));
  return Number.isNaN(start) ? '' : humanDuration((Number.isNaN(end) ? nowMs : end) - start);
};

const jobStatus = (job: StoredObject): string => {
  const is = (wanted: string): boolean =>
    objectsAt(job, 'status.conditions').some(({ type, status }) => type === wanted && status === 'True');
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  return is('Suspended') ? 'Suspended' : 'Running';
};

const REPLICA_COLUMNS: readonly TableColumn[] = [
  NAME,
  countColumn('Desired', 'spec.replicas'),
  countColumn('Current', 'status.replicas'),
  countColumn('Ready', 'status.readyReplicas'),
  AGE,
  ...CONTAINERS,
];

/** Columns of the workload kinds, by kind. */
export const WORKLOAD_COLUMNS: Readonly<Record<string, readonly TableColumn[]>> = {
  Deployment: [
    NAME,
    column('Ready', readyOf),
    countColumn('Up-to-date', 'status.updatedReplicas'),
    countColumn('Available', 'status.availableReplicas'),
    AGE,
    ...CONTAINERS,
    SELECTOR,
  ],
  ReplicaSet: [...REPLICA_COLUMNS, SELECTOR],
  ReplicationController: REPLICA_COLUMNS,
  DaemonSet: [
    NAME,
    countColumn('Desired', 'status.desiredNumberScheduled'),
    countColumn('Current', 'status.currentNumberScheduled'),
    countColumn('Ready', 'status.numberReady'),
    countColumn('Up-to-date', 'status.updatedNumberScheduled'),
    countColumn('Available', 'status.numberAvailable'),
    column('Node Selector', (object) => labelCell(valueAt(object, 'spec.template.spec.nodeSelector'))),
    AGE,
    ...CONTAINERS,
    SELECTOR,
  ],
  StatefulSet: [NAME, column('Ready', readyOf), AGE, ...CONTAINERS],
  Job: [
    NAME,
    column('Status', jobStatus),
    column('Completions', (job) => `${numberAt(job, 'status.succeeded')}/${numberAt(job, 'spec.completions') || 1}`),
    column('Duration', duration),
    AGE,
    ...CONTAINERS,
    SELECTOR,
  ],
  CronJob: [
    NAME,
    textColumn('Schedule', 'spec.schedule'),
    textColumn('Timezone', 'spec.timeZone', '<none>'),
    column('Suspend', (cronJob) => (valueAt(cronJob, 'spec.suspend') === true ? 'True' : 'False')),
    column('Active', (cron) => objectsAt(cron, 'status.active').length),
    textColumn('Last Schedule', 'status.lastScheduleTime', '<none>'),
    AGE,
  ],
  PodDisruptionBudget: [
    NAME,
    textColumn('Min Available', 'spec.minAvailable', 'N/A'),
    textColumn('Max Unavailable', 'spec.maxUnavailable', 'N/A'),
    countColumn('Allowed Disruptions', 'status.disruptionsAllowed'),
    AGE,
  ],
};
