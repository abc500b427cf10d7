import { isCronSchedule, isTimeZone } from '../../base/index.ts';
import type { FieldProblem } from '../../base/index.ts';
import { parseQuantity } from '../../kube/index.ts';
import { ACTIVE_CAPACITY, bufferScheduleOf } from '../capacity-buffer.ts';
import type { CapacityBuffer } from '../capacity-buffer.ts';
import { annotations } from '../names.ts';
import { durationProblems } from './duration-problems.ts';

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

/** What keeps a buffer from counting, whatever it refers to. Empty for a sound one. */
export const capacityBufferProblems = (buffer: CapacityBuffer): readonly FieldProblem[] => {
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
};
