import type { ApiObject } from '@karpenter/api-server';
import type { PodObject } from './pod.ts';

/** Whether all containers have ended for good. */
export const hasEnded = (pod: PodObject): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

export const isBeingDeleted = (object: ApiObject): boolean => object.metadata.deletionTimestamp !== undefined;

/** Whether a controller counts the pod among its replicas. */
export const countsAsReplica = (pod: PodObject): boolean => !hasEnded(pod) && !isBeingDeleted(pod);

export const isReady = (pod: PodObject): boolean =>
  pod.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
