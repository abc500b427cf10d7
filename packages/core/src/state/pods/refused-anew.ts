import { conditionOf, isUnschedulable } from '../../kube/index.ts';
import type { Condition, Pod } from '../../kube/index.ts';

const wordOn = (pod: Pod): Condition | undefined => conditionOf(pod.status?.conditions, 'PodScheduled');

/**
 * Whether kube-scheduler has tried the pod once more and found no node again. It says so in other words each time that nodes came or changed; that it
 * tried and found the same as before is not to be seen.
 */
export const isRefusedAnew = (pod: Pod, previous: Pod): boolean =>
  isUnschedulable(pod) && isUnschedulable(previous) && wordOn(pod)?.message !== wordOn(previous)?.message;
