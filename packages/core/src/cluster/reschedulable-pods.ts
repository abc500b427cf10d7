import { isReschedulable } from '../kube/index.ts';
import type { Pod } from '../kube/index.ts';
import { isLeftAlone } from './do-not-disrupt.ts';
import type { EvictionLimits } from './eviction-limits.ts';
import type { NodeView } from './node-view.ts';

/**
 * The pods of a node that will need a place when it goes: not those of DaemonSets, not mirrors, and not those that nothing would evict now
 * (left alone, or under a budget that never allows it).
 * Source: the original's `IsReschedulable` and `CurrentlyReschedulablePods`.
 */
export const reschedulablePods = (node: NodeView, limits: EvictionLimits, nowMs?: number): readonly Pod[] =>
  node.pods.filter((pod) => isReschedulable(pod) && !isLeftAlone(pod, nowMs) && !limits.isNeverEvictable(pod));
