import { conditionOf, namespaceOf } from '../object-meta.ts';
import type { Container, Pod, PodSpec, Volume } from './pod.ts';

const isOwnedBy = (pod: Pod, kind: string): boolean => pod.metadata.ownerReferences?.some((owner) => owner.kind === kind) ?? false;

/** Has run to its end, well or not; uses no resources any more. */
export const isTerminal = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

/** Whether the pod is being deleted. */
export const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;

/** Whether the pod runs or will run: it has neither ended nor is it being deleted. */
export const isActive = (pod: Pod): boolean => !isTerminal(pod) && !isTerminating(pod);

/** Annotation of the shadow of a static pod in the API. */
export const MIRROR = 'kubernetes.io/config.mirror';
/** Annotation: how much it costs to end the pod, beside others of its workload. */
export const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/** A static pod's shadow in the API: it belongs to its node and goes with it. */
export const isMirror = (pod: Pod): boolean => isOwnedBy(pod, 'Node') || pod.metadata.annotations?.[MIRROR] !== undefined;

/** Whether the pod is of a DaemonSet: it comes and goes with its node. */
export const isDaemonPod = (pod: Pod): boolean => isOwnedBy(pod, 'DaemonSet');

/** The scheduler has tried and found no node for it. */
export const isUnschedulable = (pod: Pod): boolean => {
  const scheduled = conditionOf(pod.status?.conditions, 'PodScheduled');
  return scheduled?.status === 'False' && scheduled.reason === 'Unschedulable';
};

const DEFAULT_SCHEDULER = 'default-scheduler';

/** In kube-scheduler's queue: it has not tried yet to find a node for it. */
export const isQueued = (pod: Pod): boolean =>
  pod.spec.nodeName === undefined &&
  (pod.spec.schedulerName ?? DEFAULT_SCHEDULER) === DEFAULT_SCHEDULER &&
  conditionOf(pod.status?.conditions, 'PodScheduled') === undefined &&
  isActive(pod);

/** Whether a new node might help the pod: unschedulable, not bound, not tied to a node anyway. */
const lacksNode = (pod: Pod): boolean =>
  isUnschedulable(pod) && pod.spec.nodeName === undefined && isActive(pod) && !isDaemonPod(pod) && !isMirror(pod);

/** Whether kube-scheduler keeps the room of other pods, which are to leave, for the pod. */
export const isPreempting = (pod: Pod): boolean => (pod.status?.nominatedNodeName ?? '') !== '' && lacksNode(pod);

/**
 * Whether a new node might help the pod, which is not about to preempt others.
 * Source: the original's `pkg/utils/pod/scheduling.go`, `IsProvisionable`.
 */
export const isProvisionable = (pod: Pod): boolean => lacksNode(pod) && !isPreempting(pod);

/**
 * Whether the pod, or its successor of the same name, will need a place when its node goes. A StatefulSet's terminating
 * pod counts: its successor comes only once it is gone. Source: the original's `IsReschedulable`.
 */
export const isReschedulable = (pod: Pod): boolean =>
  (isActive(pod) || (isTerminating(pod) && !isTerminal(pod) && isOwnedBy(pod, 'StatefulSet'))) && !isDaemonPod(pod) && !isMirror(pod);

/** Whether it waits for a gate to be lifted: until then nobody searches for a place for it. */
export const isGated = (pod: Pod): boolean => (pod.spec.schedulingGates?.length ?? 0) > 0;

/** A port of the node itself that a pod holds as long as it runs. */
export interface HostPort {
  readonly protocol: string;
  readonly port: number;
  /** `ANY_ADDRESS`: on every address of the node. */
  readonly address: string;
}

/** What a host port without `hostIP` is on. */
export const ANY_ADDRESS = '0.0.0.0';

const addressOf = (hostIP: string | undefined): string => (hostIP === undefined || hostIP === '' ? ANY_ADDRESS : hostIP);

const NO_PORTS: readonly HostPort[] = [];

const holdsPorts = ({ ports }: Container): boolean => ports !== undefined && ports.some(({ hostPort = 0 }) => hostPort > 0);

/**
 * The host ports of a pod: of its containers and of its sidecars; other init containers hold theirs only while they
 * run. A pod without any, which is nearly every pod, costs one read. Source: Kubernetes, `schedutil.GetHostPorts`.
 * Differs: the original forgets the sidecars.
 */
export const hostPortsOf = ({ containers, initContainers = [] }: PodSpec): readonly HostPort[] => {
  if (!containers.some(holdsPorts) && !initContainers.some(holdsPorts)) return NO_PORTS;
  const running = [...containers, ...initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always')];
  return running
    .flatMap(({ ports = [] }) => ports)
    .flatMap(({ hostPort = 0, hostIP, protocol }) =>
      hostPort > 0 ? [{ protocol: protocol ?? 'TCP', port: hostPort, address: addressOf(hostIP) }] : [],
    );
};

/** A volume of a pod that a PersistentVolumeClaim stands behind, and the claim's name: `namespace/name`. */
export interface ClaimedVolume {
  readonly volume: Volume;
  readonly claim: string;
}

const NO_VOLUMES: readonly ClaimedVolume[] = [];

/**
 * The claims of a pod, in the order of its volumes. An ephemeral volume's claim is named after pod and volume.
 * Source: Kubernetes, "Generic ephemeral volumes", PersistentVolumeClaim naming.
 */
export const claimedVolumesOf = (pod: Pod): readonly ClaimedVolume[] => {
  const { volumes } = pod.spec;
  if (volumes === undefined) return NO_VOLUMES;
  const namespace = namespaceOf(pod);
  return volumes.flatMap((volume) => {
    const { persistentVolumeClaim, ephemeral } = volume;
    if (persistentVolumeClaim !== undefined) return [{ volume, claim: `${namespace}/${persistentVolumeClaim.claimName}` }];
    return ephemeral === undefined ? [] : [{ volume, claim: `${namespace}/${pod.metadata.name}-${volume.name}` }];
  });
};
