import { isReschedulable } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import { isDoNotDisrupt } from './do-not-disrupt.ts';
import type { EvictionLimits } from './eviction-limits.ts';
import type { NodeView } from '../nodes/node-view.ts';

/**
 * The pods of a node that will need a new place when it goes: not those of DaemonSets, not mirror pods, and not those that cannot be evicted now
 * (`do-not-disrupt`, or a PodDisruptionBudget that never allows it).
 * Source: the original's `IsReschedulable` and `CurrentlyReschedulablePods`.
 */
export const reschedulablePods = (node: NodeView, limits: EvictionLimits, nowMs?: number): readonly Pod[] =>
  node.pods.filter((pod) => isReschedulable(pod) && !isDoNotDisrupt(pod, nowMs) && !limits.isNeverEvictable(pod));
