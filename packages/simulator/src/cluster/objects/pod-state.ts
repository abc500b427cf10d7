import type { KubeObject } from '@karpenter/api-server';
import type { Pod } from './pod.ts';

/** Whether all containers have ended for good. */
export const isTerminal = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

export const isTerminating = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined;

/** Whether a controller counts the pod among its replicas. */
export const isActive = (pod: Pod): boolean => !isTerminal(pod) && !isTerminating(pod);

export const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
