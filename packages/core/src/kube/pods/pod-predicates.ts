import { conditionOf } from '../condition.ts';
import type { Pod } from './pod.ts';

const isOwnedBy = (pod: Pod, kind: string): boolean => pod.metadata.ownerReferences?.some((owner) => owner.kind === kind) ?? false;

/** Has run to its end, well or not; uses no resources any more. */
export const isTerminal = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

/** Whether the pod is being deleted. */
export const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;

/** Whether the pod runs or will run: it has neither ended nor is it being deleted. */
export const isActive = (pod: Pod): boolean => !isTerminal(pod) && !isTerminating(pod);

/** A static pod's shadow in the API: it belongs to its node and goes with it. */
export const isMirror = (pod: Pod): boolean =>
  isOwnedBy(pod, 'Node') || pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;

/** Whether the pod is of a DaemonSet: it comes and goes with its node. */
export const isDaemonPod = (pod: Pod): boolean => isOwnedBy(pod, 'DaemonSet');

/** The scheduler has tried and found no node for it. */
export const isUnschedulable = (pod: Pod): boolean => {
  const scheduled = conditionOf(pod.status?.conditions, 'PodScheduled');
  return scheduled?.status === 'False' && scheduled.reason === 'Unschedulable';
};

/**
 * Whether a new node might help the pod: unschedulable, not bound, not about to preempt others, not tied to a node anyway.
 * Source: the original's `pkg/utils/pod/scheduling.go`, `IsProvisionable`.
 */
export const isProvisionable = (pod: Pod): boolean =>
  isUnschedulable(pod) &&
  pod.spec.nodeName === undefined &&
  (pod.status?.nominatedNodeName ?? '') === '' &&
  isActive(pod) &&
  !isDaemonPod(pod) &&
  !isMirror(pod);

/**
 * Whether the pod, or its successor of the same name, will need a place when its node goes. A StatefulSet's terminating
 * pod counts: its successor comes only once it is gone. Source: the original's `IsReschedulable`.
 */
export const isReschedulable = (pod: Pod): boolean =>
  (isActive(pod) || (isTerminating(pod) && !isTerminal(pod) && isOwnedBy(pod, 'StatefulSet'))) && !isDaemonPod(pod) && !isMirror(pod);

/** Whether it waits for a gate to be lifted: until then nobody looks for a place for it. */
export const isGated = (pod: Pod): boolean => (pod.spec.schedulingGates?.length ?? 0) > 0;
