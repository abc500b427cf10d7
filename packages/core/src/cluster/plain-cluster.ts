import type { NodePool } from '../apis/index.ts';
import { labels } from '../apis/index.ts';
import { instanceTypeOf } from '../catalog/index.ts';
import type { PlainInstanceType } from '../catalog/index.ts';
import { isConditionTrue, resourcesOf, sumResources } from '../kube/index.ts';
import type { DaemonSet, Node, ObjectMeta, Pod, PodDisruptionBudget, Resources } from '../kube/index.ts';
import type { ClusterSnapshot } from './cluster-snapshot.ts';
import type { NodeView } from './node-view.ts';
import { podSelectorOf } from './pod-selector.ts';
import type { SelectingKind, SelectingObject } from './pod-selector.ts';

/** A cluster as plain JSON: objects as `kubectl get -o json` gives them under `items`, and sizes of machines. */
export interface PlainCluster {
  readonly nodePools: readonly NodePool[];
  /** Offered to each of the pools. */
  readonly instanceTypes: readonly PlainInstanceType[];
  /** Those without `spec.nodeName` are pending, the others run on their nodes; ended ones are passed over. */
  readonly pods: readonly Pod[];
  readonly nodes?: readonly Node[];
  readonly daemonSets?: readonly DaemonSet[];
  readonly podDisruptionBudgets?: readonly PodDisruptionBudget[];
  readonly namespaces?: readonly { readonly metadata: ObjectMeta }[];
  /** Services, ReplicationControllers, ReplicaSets and StatefulSets: they count only for the policy's `defaultSpread`. */
  readonly selecting?: readonly (SelectingObject & { readonly kind: SelectingKind })[];
}

const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

const viewOf = ({ metadata, spec, status }: Node, pods: readonly Pod[]): NodeView => {
  const nodePoolName = metadata.labels?.[labels.nodePool];
  return {
    name: metadata.name,
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    taints: spec?.taints ?? [],
    capacity: resourcesOf(status?.capacity),
    allocatable: resourcesOf(status?.allocatable),
    pods,
    ...(nodePoolName === undefined ? {} : { nodePoolName }),
    hasNode: true,
    isRegistered: true,
    isInitialized: true,
    isReady: isConditionTrue(status?.conditions, 'Ready'),
    isMarkedForDeletion: metadata.deletionTimestamp !== undefined,
  };
};

const usageOf = (nodes: readonly NodeView[], pool: string): Resources => {
  const own = nodes.filter(({ nodePoolName, isMarkedForDeletion }) => nodePoolName === pool && !isMarkedForDeletion);
  return { ...sumResources(own.map(({ capacity }) => capacity)), nodes: own.length };
};

/**
 * The snapshot of a cluster that is given as plain JSON, for `simulate`. Throws RangeError on a malformed quantity of a node or an instance
 * type; whatever else is malformed is told by the plan. Costs a walk over pods and nodes.
 */
export const snapshotOf = (cluster: PlainCluster): ClusterSnapshot => {
  const { nodePools, instanceTypes, pods, nodes = [], daemonSets = [], podDisruptionBudgets = [], namespaces = [], selecting } = cluster;
  const alive = pods.filter((pod) => !hasEnded(pod));
  const podsOn = new Map<string, Pod[]>();
  for (const pod of alive) {
    const name = pod.spec.nodeName ?? '';
    const others = podsOn.get(name);
    if (others === undefined) podsOn.set(name, [pod]);
    else others.push(pod);
  }
  const views = nodes.map((node) => viewOf(node, podsOn.get(node.metadata.name) ?? []));
  const types = instanceTypes.map(instanceTypeOf);
  return {
    nodePools: nodePools.map((nodePool) => ({ nodePool, instanceTypes: types, usage: usageOf(views, nodePool.metadata.name) })),
    nodes: views,
    pendingPods: podsOn.get('') ?? [],
    daemonSets,
    podDisruptionBudgets,
    namespaceLabels: new Map(namespaces.map(({ metadata }) => [metadata.name, metadata.labels ?? {}])),
    ...(selecting === undefined ? {} : { podSelectors: selecting.map((object) => podSelectorOf(object.kind, object)) }),
  };
};
