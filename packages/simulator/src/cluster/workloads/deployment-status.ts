import { conditionIn, putCondition } from '../objects/conditions.ts';
import type { Deployment, ReplicaSet, WorkloadStatus } from '../objects/workload.ts';
import { shareOf } from './rollout.ts';

const countOf = (sets: readonly ReplicaSet[], member: string): number =>
  sets.reduce((total, { status }) => total + (typeof status?.[member] === 'number' ? status[member] : 0), 0);

const available = (isIt: boolean) =>
  isIt
    ? ({ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' } as const)
    : ({
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      } as const);

const progressing = (isComplete: boolean, name: string) =>
  isComplete
    ? ({
        type: 'Progressing',
        status: 'True',
        reason: 'NewReplicaSetAvailable',
        message: `ReplicaSet "${name}" has successfully progressed.`,
      } as const)
    : ({ type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated', message: `ReplicaSet "${name}" is progressing.` } as const);

interface Counts {
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
}

const countsOf = (latest: ReplicaSet, old: readonly ReplicaSet[]): Counts => ({
  replicas: countOf([latest, ...old], 'replicas'),
  updatedReplicas: countOf([latest], 'replicas'),
  readyReplicas: countOf([latest, ...old], 'readyReplicas'),
  availableReplicas: countOf([latest, ...old], 'availableReplicas'),
});

/** Every replica is of the latest template and available; or that was so once, and the deployment is merely being scaled. */
const isDone = ({ status }: Deployment, counts: Counts, desired: number): boolean => {
  const wasDone = conditionIn(status?.conditions, 'Progressing')?.reason === 'NewReplicaSetAvailable';
  if (wasDone && counts.updatedReplicas === counts.replicas) return true;
  return [counts.updatedReplicas, counts.replicas, counts.availableReplicas].every((count) => count === desired);
};

/** What `kubectl rollout status` reads: counts over all ReplicaSets, Available and Progressing. */
export const deploymentStatus = (
  deployment: Deployment,
  { latest, old, now }: { readonly latest: ReplicaSet; readonly old: readonly ReplicaSet[]; readonly now: string },
): WorkloadStatus => {
  const desired = deployment.spec.replicas ?? 1;
  const counts = countsOf(latest, old);
  const maxUnavailable = shareOf(deployment.spec.strategy?.rollingUpdate?.maxUnavailable ?? '25%', desired, 'down');
  const isAvailable = counts.availableReplicas >= desired - maxUnavailable;
  const conditions = putCondition(deployment.status?.conditions, available(isAvailable), now);
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...counts,
    unavailableReplicas: Math.max(desired - counts.availableReplicas, 0),
    conditions: putCondition(conditions, progressing(isDone(deployment, counts, desired), latest.metadata.name ?? ''), now),
  };
};
