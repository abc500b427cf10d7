import { isActive, isGated } from '../kube/index.ts';
import type { Pod } from '../kube/index.ts';

const KUBE_SCHEDULER = 'default-scheduler';

/**
 * Whether the pod waits for kube-scheduler to give it a node. Other schedulers read a nomination differently, or do not
 * end it.
 */
const waitsForKubeScheduler = (pod: Pod): boolean =>
  pod.spec.nodeName === undefined && isActive(pod) && !isGated(pod) && (pod.spec.schedulerName ?? KUBE_SCHEDULER) === KUBE_SCHEDULER;

/** The node that kube-scheduler tries first for the pod (`status.nominatedNodeName`); undefined when there is none. */
export const nominatedNodeOf = ({ status }: Pod): string | undefined =>
  status?.nominatedNodeName === '' ? undefined : status?.nominatedNodeName;

/**
 * What to do so that kube-scheduler tries a pod on the node first. `nominated`: nothing, its status says so already.
 * `leave`: nothing, since it does not wait for a node, or kube-scheduler has nominated it for another one, which nobody
 * else may overrule.
 */
export const nominationOf = (pod: Pod, nodeName: string): 'nominate' | 'nominated' | 'leave' => {
  if (!waitsForKubeScheduler(pod)) return 'leave';
  const current = nominatedNodeOf(pod);
  if (current === undefined) return 'nominate';
  return current === nodeName ? 'nominated' : 'leave';
};
