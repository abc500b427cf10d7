import { disruptedTaint } from '../../apis/index.ts';
import { isMirror, isReschedulable, tolerates } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import { isDoNotDisrupt } from './do-not-disrupt.ts';
import type { EvictionLimits } from './eviction-limits.ts';
import type { NodeView } from '../nodes/node-view.ts';

/** Whether a drain evicts the pod. Mirror pods and pods that tolerate the disruption taint stay to the end. */
export const isEvictedByDrain = (pod: Pod): boolean => !isMirror(pod) && !tolerates([disruptedTaint], pod.spec.tolerations);

/**
 * The pods of a node that will need a new place when it goes: not those of DaemonSets, not mirror pods, and not those
 * that cannot be evicted now (`do-not-disrupt`, or PodDisruptionBudgets that never allow it). Source: the original's
 * `IsReschedulable` and `CurrentlyReschedulablePods`.
 */
export const reschedulablePods = (node: NodeView, limits: EvictionLimits, nowMs?: number): readonly Pod[] =>
  node.pods.filter(
    (pod) => isReschedulable(pod) && !isDoNotDisrupt(pod, nowMs) && !(isEvictedByDrain(pod) && limits.isNeverEvictable(pod)),
  );
