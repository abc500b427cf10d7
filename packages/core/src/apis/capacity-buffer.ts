import { durationMs, isCronSchedule, isInCronWindow, isTimeZone, memoByObject, wallClockMs } from '../base/index.ts';
import type { FieldProblem } from '../base/index.ts';
import { parseQuantity } from '../kube/index.ts';
import type { Condition, ObjectMeta, ResourceList } from '../kube/index.ts';
import { durationProblems } from './field-problems.ts';
import { annotations } from './names.ts';

/** The API group of CapacityBuffers, which belongs to SIG Autoscaling. */
export const CAPACITY_BUFFER_GROUP = 'autoscaling.x-k8s.io';

/** The only strategy: room on nodes that are up. */
export const ACTIVE_CAPACITY = 'buffer.x-k8s.io/active-capacity';

/** The workload whose pods are the chunks of a buffer. `apiGroup`: `apps`, also when empty. */
export interface ScalableRef {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

/** autoscaling.x-k8s.io/v1beta1 CapacityBuffer as plain JSON: room for some pods more, kept free. */
export interface CapacityBuffer {
  readonly apiVersion: 'autoscaling.x-k8s.io/v1beta1';
  readonly kind: 'CapacityBuffer';
  readonly metadata: ObjectMeta;
  readonly spec: CapacityBufferSpec;
  readonly status?: CapacityBufferStatus;
}

/** Which pods there must be room for, and for how many. Both references name objects of the buffer's namespace. */
export interface CapacityBufferSpec {
  /** Default `buffer.x-k8s.io/active-capacity`. */
  readonly provisioningStrategy?: string;
  readonly podTemplateRef?: { readonly name: string };
  readonly scalableRef?: ScalableRef;
  readonly replicas?: number;
  /** Of the replicas of `scalableRef`, rounded up. */
  readonly percentage?: number;
  /** The most that all chunks together may request. */
  readonly limits?: ResourceList;
}

/** What became of a buffer. */
export interface CapacityBufferStatus {
  readonly conditions?: readonly Condition[];
  readonly podTemplateRef?: { readonly name: string };
  readonly podTemplateGeneration?: number;
  readonly replicas?: number;
  readonly provisioningStrategy?: string;
  /** What the room costs an hour, in the currency of the prices. */
  readonly pricePerHour?: string;
}

export const capacityBufferConditions = { readyForProvisioning: 'ReadyForProvisioning', provisioning: 'Provisioning' } as const;

/** When a buffer counts. */
export interface BufferSchedule {
  /** Five fields of cron or a nickname: when a window opens. */
  readonly schedule?: string | undefined;
  readonly duration?: string | undefined;
  /** Default `UTC`. */
  readonly timeZone?: string | undefined;
}

/** The schedule that the annotations of a buffer give it. */
export const bufferScheduleOf = ({ metadata }: Pick<CapacityBuffer, 'metadata'>): BufferSchedule => ({
  schedule: metadata.annotations?.[annotations.bufferSchedule],
  duration: metadata.annotations?.[annotations.bufferDuration],
  timeZone: metadata.annotations?.[annotations.bufferTimeZone],
});

/**
 * Whether the buffer counts now. Always without a schedule, else in its windows, which open and close by the clock on
 * the wall of its time zone. False for a malformed schedule.
 */
export const isBufferActive = (buffer: Pick<CapacityBuffer, 'metadata'>, nowMs: number): boolean => {
  const { schedule, duration, timeZone = 'UTC' } = bufferScheduleOf(buffer);
  if (schedule === undefined && duration === undefined) return true;
  const lengthMs = duration === undefined ? undefined : durationMs(duration);
  const shownMs = wallClockMs(nowMs, timeZone);
  if (schedule === undefined || lengthMs === undefined || shownMs === undefined) return false;
  return isInCronWindow(schedule, lengthMs, shownMs) === true;
};

const at = (annotation: string): string => `metadata.annotations[${annotation}]`;
const schedulePath = at(annotations.bufferSchedule);
const durationPath = at(annotations.bufferDuration);

const scheduleProblems = (buffer: CapacityBuffer): readonly FieldProblem[] => {
  const { schedule, duration, timeZone } = bufferScheduleOf(buffer);
  const problems: FieldProblem[] = [];
  if (schedule !== undefined && !isCronSchedule(schedule))
    problems.push({ field: schedulePath, value: schedule, problem: 'must be five fields of cron such as "0 7 * * mon-fri"' });
  if (timeZone !== undefined && !isTimeZone(timeZone))
    problems.push({ field: at(annotations.bufferTimeZone), value: timeZone, problem: 'must be a time zone such as Europe/Berlin' });
  if ((schedule === undefined) !== (duration === undefined)) {
    const field = schedule === undefined ? schedulePath : durationPath;
    problems.push({ field, value: '', problem: 'must be there: a schedule and its duration belong together' });
  }
  return [...problems, ...durationProblems(durationPath, duration, 'never')];
};

const limitProblems = ({ spec: { limits = {} } }: CapacityBuffer): readonly FieldProblem[] =>
  Object.entries(limits)
    .filter(([, amount]) => parseQuantity(String(amount)) === undefined)
    .map(([name, amount]) => ({ field: `spec.limits.${name}`, value: String(amount), problem: 'must be a quantity such as 4 or 16Gi' }));

/** What keeps a buffer from counting, whatever it refers to. Empty for a sound one. Each object is checked once. */
export const capacityBufferProblems = memoByObject((buffer: CapacityBuffer): readonly FieldProblem[] => {
  const { podTemplateRef, scalableRef, provisioningStrategy = ACTIVE_CAPACITY } = buffer.spec;
  const refs = [podTemplateRef, scalableRef].filter((ref) => ref !== undefined).length;
  return [
    ...(refs === 1 ? [] : [{ field: 'spec', value: '', problem: 'must set one of podTemplateRef and scalableRef' }]),
    ...(provisioningStrategy === ACTIVE_CAPACITY
      ? []
      : [{ field: 'spec.provisioningStrategy', value: provisioningStrategy, problem: `must be ${ACTIVE_CAPACITY}` }]),
    ...limitProblems(buffer),
    ...scheduleProblems(buffer),
  ];
});
