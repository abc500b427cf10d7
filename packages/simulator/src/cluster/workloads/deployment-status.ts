import { conditionOf, withCondition } from '../objects/conditions.ts';
import type { Deployment, ReplicaSet, WorkloadStatus } from '../objects/workload.ts';
import { shareOf } from './share.ts';

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

/** What `kubectl rollout status` reads: counts over all ReplicaSets, Available and Progressing. */
export const deploymentStatus = (
  deployment: Deployment,
  { latest, old, now }: { readonly latest: ReplicaSet; readonly old: readonly ReplicaSet[]; readonly now: string },
): WorkloadStatus => {
  const desired = deployment.spec.replicas ?? 1;
  const all = [latest, ...old];
  const counts = {
    replicas: countOf(all, 'replicas'),
    updatedReplicas: countOf([latest], 'replicas'),
    readyReplicas: countOf(all, 'readyReplicas'),
    availableReplicas: countOf(all, 'availableReplicas'),
  };
  const maxUnavailable = shareOf(deployment.spec.strategy?.rollingUpdate?.maxUnavailable ?? '25%', desired, 'down');
  const isComplete = counts.updatedReplicas === desired && counts.replicas === desired && counts.availableReplicas === desired;
  const before = deployment.status?.conditions;
  const wasComplete = conditionOf(before, 'Progressing')?.reason === 'NewReplicaSetAvailable';
  const isScaling = wasComplete && counts.updatedReplicas === counts.replicas;
  const withAvailable = withCondition(before, available(counts.availableReplicas >= desired - maxUnavailable), now);
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...counts,
    unavailableReplicas: Math.max(desired - counts.availableReplicas, 0),
    conditions: withCondition(withAvailable, progressing(isComplete || isScaling, latest.metadata.name ?? ''), now),
  };
};
