import { labels } from '../../../apis/index.ts';
import { epochMsOf } from '../../../base/index.ts';
import { conditionOf, isTerminal, namespaceOf } from '../../../kube/index.ts';
import type { Node, Pod } from '../../../kube/index.ts';
import type { MetricLabels, Metrics, Reading } from '../../../ports/index.ts';
import type { PodSchedulingTimes } from '../metrics/lifetimes.ts';

/** The pods and nodes as they are now. */
export interface PodSource {
  readonly pods: () => readonly Pod[];
  readonly nodes: () => readonly Node[];
  readonly nowMs: () => number;
  readonly times: PodSchedulingTimes;
}

/** As the original writes it: `/apis/apps/v1/namespaces/shop/replicasets/web-5d`. */
const ownerOf = (pod: Pod): string => {
  const [owner] = pod.metadata.ownerReferences ?? [];
  return owner === undefined ? '' : `/apis/${owner.apiVersion}/namespaces/${namespaceOf(pod)}/${owner.kind.toLowerCase()}s/${owner.name}`;
};

const OF_NODE = {
  nodepool: labels.nodePool,
  zone: labels.zone,
  arch: labels.arch,
  capacity_type: labels.capacityType,
  instance_type: labels.instanceType,
} as const;

const stateOf = (pod: Pod, node: Node | undefined): MetricLabels => {
  const nodeLabels = node?.metadata.labels ?? {};
  return {
    name: pod.metadata.name,
    namespace: namespaceOf(pod),
    owner: ownerOf(pod),
    node: pod.spec.nodeName ?? '',
    scheduled: String(pod.spec.nodeName !== undefined),
    ...Object.fromEntries(Object.entries(OF_NODE).map(([name, key]) => [name, nodeLabels[key] ?? ''])),
    phase: pod.status?.phase ?? '',
    ready: String(conditionOf(pod.status?.conditions, 'Ready')?.status === 'True'),
    managed: String(nodeLabels[labels.nodePool] !== undefined),
  };
};

const STATE = [
  ...['name', 'namespace', 'owner', 'node', 'scheduled', 'nodepool', 'zone', 'arch'],
  ...['capacity_type', 'instance_type', 'phase', 'ready', 'managed'],
];

const isUnbound = (pod: Pod): boolean => pod.spec.nodeName === undefined && !isTerminal(pod);

const isUnstarted = (pod: Pod): boolean => pod.status?.phase === 'Pending';

const createdMs = ({ metadata }: Pod): number | undefined => epochMsOf(metadata.creationTimestamp);

/** Which pods wait, and since when each has; not shown while that is undefined. */
interface PodWait {
  readonly isWaiting: (pod: Pod) => boolean;
  readonly sinceMs: (pod: Pod) => number | undefined;
}

/** Metric → what it means, and whose wait it is. */
const waitsOf = (times: PodSchedulingTimes): Readonly<Record<string, PodWait & { readonly help: string }>> => ({
  unbound_time_seconds: {
    ...{ help: 'The time from pod creation while the pod is not bound.', isWaiting: isUnbound, sinceMs: createdMs },
  },
  unstarted_time_seconds: {
    ...{ help: 'The time from pod creation while the pod is not running.', isWaiting: isUnstarted, sinceMs: createdMs },
  },
  provisioning_unbound_time_seconds: {
    help: 'The time from when a plan first had a place for the pod while the pod is not bound.',
    ...{ isWaiting: isUnbound, sinceMs: (pod) => times.placedMs(pod) },
  },
  provisioning_unstarted_time_seconds: {
    help: 'The time from when a plan first had a place for the pod while the pod is not running.',
    ...{ isWaiting: isUnstarted, sinceMs: (pod) => times.placedMs(pod) },
  },
  provisioning_scheduling_undecided_time_seconds: {
    help: 'The time from when Karpenter first saw the pod wait while no plan has decided on it.',
    ...{ isWaiting: isUnbound, sinceMs: (pod) => times.undecidedMs(pod) },
  },
});

/** The phase of each pod, and how long it has waited if it waits. One series a pod, up to six while it waits. */
export const podGauges = (metrics: Metrics, { pods, nodes, nowMs, times }: PodSource): void => {
  function* states(): Iterable<Reading> {
    const nodeOf = new Map(nodes().map((node) => [node.metadata.name, node]));
    for (const pod of pods()) yield { labels: stateOf(pod, nodeOf.get(pod.spec.nodeName ?? '')), value: 1 };
  }
  function* waits({ isWaiting, sinceMs }: PodWait): Iterable<Reading> {
    for (const pod of pods().filter(isWaiting)) {
      const fromMs = sinceMs(pod);
      if (fromMs !== undefined)
        yield { labels: { name: pod.metadata.name, namespace: namespaceOf(pod) }, value: Math.max(0, nowMs() - fromMs) / 1000 };
    }
  }
  metrics.gauge({ name: 'karpenter_pods_state', help: 'Pod state is the current state of pods.', labelNames: STATE }, states);
  for (const [name, { help, ...wait }] of Object.entries(waitsOf(times)))
    metrics.gauge({ name: `karpenter_pods_${name}`, help, labelNames: ['name', 'namespace'] }, () => waits(wait));
};
