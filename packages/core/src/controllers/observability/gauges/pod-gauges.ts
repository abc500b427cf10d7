import { labels } from '../../../apis/index.ts';
import { epochMsOf } from '../../../base/index.ts';
import { conditionOf, isTerminal } from '../../../kube/index.ts';
import type { Node, Pod } from '../../../kube/index.ts';
import type { MetricLabels, Metrics, Reading } from '../../../ports/index.ts';

/** The pods and nodes as they are now. */
export interface PodSource {
  readonly pods: () => readonly Pod[];
  readonly nodes: () => readonly Node[];
  readonly nowMs: () => number;
}

/** As the original writes it: `/apis/apps/v1/namespaces/shop/replicasets/web-5d`. */
const ownerOf = ({ metadata: { namespace = 'default', ownerReferences: [owner] = [] } }: Pod): string =>
  owner === undefined ? '' : `/apis/${owner.apiVersion}/namespaces/${namespace}/${owner.kind.toLowerCase()}s/${owner.name}`;

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
    namespace: pod.metadata.namespace ?? 'default',
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

/** Shows of each pod what has become of it, and of those that wait how long: one series a pod, up to three while it waits. */
export const podGauges = (metrics: Metrics, { pods, nodes, nowMs }: PodSource): void => {
  function* states(): Iterable<Reading> {
    const nodeOf = new Map(nodes().map((node) => [node.metadata.name, node]));
    for (const pod of pods()) yield { labels: stateOf(pod, nodeOf.get(pod.spec.nodeName ?? '')), value: 1 };
  }
  function* waits(isWaiting: (pod: Pod) => boolean): Iterable<Reading> {
    for (const pod of pods().filter(isWaiting)) {
      const { name, namespace = 'default', creationTimestamp } = pod.metadata;
      const sinceMs = epochMsOf(creationTimestamp);
      if (sinceMs !== undefined) yield { labels: { name, namespace }, value: Math.max(0, nowMs() - sinceMs) / 1000 };
    }
  }
  metrics.gauge({ name: 'karpenter_pods_state', help: 'Pod state is the current state of pods.', labelNames: STATE }, states);
  const labelNames = ['name', 'namespace'];
  metrics.gauge(
    { name: 'karpenter_pods_unbound_time_seconds', help: 'The time from pod creation while the pod is not bound.', labelNames },
    () => waits(isUnbound),
  );
  metrics.gauge(
    { name: 'karpenter_pods_unstarted_time_seconds', help: 'The time from pod creation while the pod is not running.', labelNames },
    () => waits(isUnstarted),
  );
};
