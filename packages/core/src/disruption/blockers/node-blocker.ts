import { compareText } from '../../base/index.ts';
import { annotations } from '../../apis/index.ts';
import { doNotDisruptUntilMs, isDoNotDisrupt, isEvictedByDrain } from '../../cluster/index.ts';
import type { EvictionLimits, NodePoolView, NodeView } from '../../cluster/index.ts';
import { isActive, namespacedNameOf } from '../../kube/index.ts';
import type { Blocker } from './blocker.ts';

/**
 * Why no method may take the node, whatever runs on it; undefined when one may. Source: the original's
 * `state.StateNode.ValidateNodeDisruptable`. Differs: there no method takes a node whose pool offers nothing at the
 * moment; here it goes where its pods fit on other nodes.
 */
export const nodeBlocker = (node: NodeView, nodePool: NodePoolView | undefined, nowMs: number): Blocker | undefined => {
  if (node.isMarkedForDeletion) return { kind: 'marked' };
  if (!node.hasNode || !node.isInitialized) return { kind: 'not-initialized' };
  if (node.nominatedUntilMs !== undefined && node.nominatedUntilMs > nowMs) return { kind: 'nominated', untilMs: node.nominatedUntilMs };
  if (node.annotations[annotations.doNotDisrupt] === 'true') return { kind: 'do-not-disrupt-node' };
  return nodePool === undefined ? { kind: 'unknown-node-pool', nodePoolName: node.nodePoolName } : undefined;
};

/**
 * Why a pod of the node keeps it from being drained gracefully, by the first such pod in order of names; undefined when
 * none does.
 */
export const podBlocker = (node: NodeView, limits: EvictionLimits, nowMs: number): Blocker | undefined => {
  const active = node.pods.filter(isActive);
  const left = active.filter((pod) => isDoNotDisrupt(pod, nowMs)).map((pod) => ({ name: namespacedNameOf(pod.metadata), pod }));
  const [first] = left.sort((a, b) => compareText(a.name, b.name));
  if (first !== undefined) {
    const untilMs = doNotDisruptUntilMs(first.pod);
    return { kind: 'do-not-disrupt-pod', pod: first.name, ...(untilMs === undefined ? {} : { untilMs }) };
  }
  const guarded = active.filter(isEvictedByDrain).flatMap((pod) => {
    const budget = limits.blockerOf(pod);
    return budget === undefined
      ? []
      : [{ kind: 'pdb' as const, pod: namespacedNameOf(pod.metadata), budget: namespacedNameOf(budget.metadata) }];
  });
  return guarded.sort((a, b) => compareText(a.pod, b.pod))[0];
};
