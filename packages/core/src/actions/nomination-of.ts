import { isActive, isGated } from '../kube/index.ts';
import type { Pod } from '../kube/index.ts';

const KUBE_SCHEDULER = 'default-scheduler';

/** Whether the pod waits for kube-scheduler to give it a node. Other schedulers read a nomination differently, or do not end it. */
const waitsForKubeScheduler = (pod: Pod): boolean =>
  pod.spec.nodeName === undefined && isActive(pod) && !isGated(pod) && (pod.spec.schedulerName ?? KUBE_SCHEDULER) === KUBE_SCHEDULER;

/** The node that kube-scheduler tries first for the pod (`status.nominatedNodeName`); undefined when there is none. */
export const nominatedNodeOf = ({ status }: Pod): string | undefined =>
  status?.nominatedNodeName === '' ? undefined : status?.nominatedNodeName;

/**
 * What is to be done so that a pod, planned for a node, is tried there first. `nominated`: it says so. `leave`: it does not wait for a node,
 * or kube-scheduler means to preempt others for it on another one, which nobody else may overrule.
 */
export const nominationOf = (pod: Pod, nodeName: string): 'nominate' | 'nominated' | 'leave' => {
  if (!waitsForKubeScheduler(pod)) return 'leave';
  const current = nominatedNodeOf(pod);
  if (current === undefined) return 'nominate';
  return current === nodeName ? 'nominated' : 'leave';
};
