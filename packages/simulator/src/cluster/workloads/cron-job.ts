import { timestampOf } from '@karpenter/core';
import { isInCronWindow } from '@karpenter/core/internal';
import { type ControlDeps, every, type StartController } from '../control/control-deps.ts';
import { conditionIn } from '../objects/conditions.ts';
import { objectKeyOf } from '../objects/object-key.ts';
import { isBeingDeleted } from '../objects/pod.ts';
import type { CronJob, Job } from '../objects/workload.ts';
import { cronJobs, jobs } from '../objects/workload.ts';
import { controllerOf } from './owned-pod.ts';
import { writeStatus } from './workload-loop.ts';

const MINUTE_MS = 60_000;
const SWEEP_MS = 10_000;

const hasEnded = (job: Job, type: 'Complete' | 'Failed'): boolean => conditionIn(job.status?.conditions, type)?.status === 'True';
const isRunning = (job: Job): boolean => !hasEnded(job, 'Complete') && !hasEnded(job, 'Failed');

/** Deletes the oldest jobs that ended one way, beyond those that are kept. */
const forgetOld = ({ api }: ControlDeps, ended: readonly Job[], kept: number): void => {
  const oldestFirst = [...ended].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  for (const job of oldestFirst.slice(0, Math.max(0, ended.length - kept))) api.delete(jobs, objectKeyOf(job));
};

const runOnce = ({ api }: ControlDeps, cronJob: CronJob, minuteMs: number): void => {
  const { name = '', namespace } = cronJob.metadata;
  const { metadata: { labels, annotations } = {}, spec } = cronJob.spec.jobTemplate;
  const key = { namespace, name: `${name}-${minuteMs / MINUTE_MS}` };
  if (api.get(jobs, key) !== undefined) return;
  const metadata = { ...key, ...(labels && { labels }), ...(annotations && { annotations }), ownerReferences: [controllerOf(cronJob)] };
  api.create({ apiVersion: 'batch/v1', kind: 'Job', metadata, spec });
};

/** Whether a schedule has come up since it last did. `Differs:` `timeZone` is not read; schedules are in UTC. */
const isDue = ({ spec, status, metadata }: CronJob, nowMs: number): boolean => {
  const lastMs = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '');
  return spec.suspend !== true && nowMs > lastMs && isInCronWindow(spec.schedule, nowMs - lastMs, nowMs) === true;
};

/** Runs the jobs of schedules that came up, and deletes old ones. */
export const startCronJobs: StartController = (deps) => {
  const { api, clock } = deps;
  const reconcile = (cronJob: CronJob): void => {
    const { spec, metadata } = cronJob;
    const owned = api
      .list(jobs, { namespace: metadata.namespace })
      .filter((job) => job.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid));
    forgetOld(
      deps,
      owned.filter((job) => hasEnded(job, 'Complete')),
      spec.successfulJobsHistoryLimit ?? 3,
    );
    forgetOld(
      deps,
      owned.filter((job) => hasEnded(job, 'Failed')),
      spec.failedJobsHistoryLimit ?? 1,
    );
    const active = owned
      .filter(isRunning)
      .map((job) => ({ apiVersion: 'batch/v1', kind: 'Job', ...objectKeyOf(job), uid: job.metadata.uid }));
    writeStatus(api, cronJob, { active });
    if (!isDue(cronJob, clock.now()) || (spec.concurrencyPolicy === 'Forbid' && active.length > 0)) return;
    if (spec.concurrencyPolicy === 'Replace') for (const job of owned.filter(isRunning)) api.delete(jobs, objectKeyOf(job));
    const minuteMs = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
    runOnce(deps, cronJob, minuteMs);
    const latest = api.get(cronJobs, objectKeyOf(cronJob)) ?? cronJob;
    writeStatus(api, latest, { lastScheduleTime: timestampOf(minuteMs) });
  };
  return every(clock, SWEEP_MS, () => {
    for (const cronJob of api.list(cronJobs)) if (!isBeingDeleted(cronJob)) reconcile(cronJob);
  });
};
