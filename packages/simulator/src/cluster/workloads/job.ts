import { kubeTime } from '@karpenter/runtime';
import type { StartController } from '../control/control-deps.ts';
import { conditionIn, putCondition } from '../objects/conditions.ts';
import { objectKeyOf } from '../objects/object-key.ts';
import { countsAsReplica, isReady, podKind } from '../objects/pod.ts';
import type { Job } from '../objects/workload.ts';
import { jobs } from '../objects/workload.ts';
import { ownedPod } from './owned-pod.ts';
import { startWorkloadLoop, writeStatus } from './workload-loop.ts';

const BATCH = 100;

interface JobCounts {
  readonly active: number;
  readonly succeeded: number;
  readonly failed: number;
}

type JobEnd = 'Complete' | 'Failed' | undefined;

const endOf = ({ spec }: Job, { succeeded, failed }: JobCounts): JobEnd => {
  if (failed > (spec.backoffLimit ?? 6)) return 'Failed';
  return succeeded >= (spec.completions ?? 1) ? 'Complete' : undefined;
};

/** How many pods should run beside those that succeeded. */
const wantedActive = ({ spec }: Job, { succeeded }: JobCounts): number =>
  spec.suspend === true ? 0 : Math.min(spec.parallelism ?? 1, (spec.completions ?? 1) - succeeded);

/** Runs pods until enough have succeeded. Pod failures are counted against `backoffLimit`. */
export const startJobs: StartController = (deps) => {
  const { api, clock, pods } = deps;
  const countsOf = (job: Job): JobCounts => {
    const owned = pods.ownedBy(job.metadata.uid);
    const ended = (phase: string): number => owned.filter((pod) => pod.status?.phase === phase).length;
    return { active: owned.filter(countsAsReplica).length, succeeded: ended('Succeeded'), failed: ended('Failed') };
  };

  const adjust = (job: Job, counts: JobCounts): void => {
    const missing = Math.min(wantedActive(job, counts) - counts.active, BATCH);
    const labels = { 'batch.kubernetes.io/job-name': job.metadata.name ?? '', 'job-name': job.metadata.name ?? '' };
    for (let made = 0; made < missing; made += 1) api.create(ownedPod(job, { labels }));
    const surplus = missing < 0 ? pods.ownedBy(job.metadata.uid).filter(countsAsReplica).slice(missing) : [];
    for (const pod of surplus) api.delete(podKind, objectKeyOf(pod));
  };

  const reconcile = (job: Job): number | undefined => {
    const isOver = ['Complete', 'Failed'].some((type) => conditionIn(job.status?.conditions, type)?.status === 'True');
    if (isOver) return undefined;
    const end = endOf(job, countsOf(job));
    if (end === undefined) adjust(job, countsOf(job));
    const counts = countsOf(job);
    const now = kubeTime(clock.now());
    const ready = pods.ownedBy(job.metadata.uid).filter((pod) => countsAsReplica(pod) && isReady(pod)).length;
    const startTime = job.status?.['startTime'] ?? now;
    const conditions = end === undefined ? {} : { conditions: putCondition(job.status?.conditions, { type: end, status: 'True' }, now) };
    const completionTime = end === 'Complete' ? { completionTime: now } : {};
    writeStatus(api, job, { ...counts, ready, startTime, ...conditions, ...completionTime });
    return end === undefined && counts.active < wantedActive(job, counts) ? 0 : undefined;
  };
  return startWorkloadLoop(deps, { kind: jobs, reconcile });
};
