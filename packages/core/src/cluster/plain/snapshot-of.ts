import { labels } from '../../apis/index.ts';
import { instanceTypeOf } from '../../catalog/index.ts';
import {
  isActive,
  isConditionTrue,
  isDaemonPod,
  isGated,
  isMirror,
  isTerminal,
  podContainersProblem,
  reportsResources,
  resizedSpec,
  resourcesOf,
  sumResources,
} from '../../kube/index.ts';
import type { CSINode, Node, Pod, PodSpec, Resources, Taint } from '../../kube/index.ts';
import { addToGroup, withoutNulls } from '../../base/index.ts';
import { deviceViewOf, type StorageView, storageViewOf, volumeLimitsOf } from '../device-view.ts';
import type { ClusterSnapshot } from '../cluster-snapshot.ts';
import type { NodeView } from '../node-view.ts';
import { isSucceededMember, podGroupTable } from '../pods/pod-group.ts';
import { podSelectorOf } from '../pods/pod-selector.ts';
import { type PlainCluster, readableCluster } from './plain-cluster.ts';

const NO_SPEC = {} as PodSpec;

const isWhole = (pod: Partial<Pod>): pod is Pod => pod.metadata !== undefined && pod.spec !== undefined;

/** With what it holds while it is resized, as far as its containers can be read. */
const sized = (pod: Pod): Pod =>
  reportsResources(pod) && podContainersProblem(pod.spec) === undefined ? { ...pod, spec: resizedSpec(pod) } : pod;

/** A pod that lacks what every pod has is refused with the field named, not thrown. */
const whole = (pod: Partial<Pod>): Pod =>
  isWhole(pod) ? sized(pod) : { ...pod, metadata: pod.metadata ?? { name: '' }, spec: pod.spec ?? NO_SPEC };

const isSought = (pod: Pod): boolean => !isGated(pod) && isActive(pod) && !isDaemonPod(pod) && !isMirror(pod);

const podsByNode = (pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> => {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    const name = pod.spec.nodeName ?? '';
    if (isTerminal(pod) || (name === '' && !isSought(pod))) continue;
    addToGroup(byNode, name, pod);
  }
  return byNode;
};

const storageOf = ({ persistentVolumeClaims = [], persistentVolumes = [], storageClasses = [] }: PlainCluster): StorageView =>
  storageViewOf({ claims: persistentVolumeClaims, volumes: persistentVolumes, classes: storageClasses });

const devicesOf = ({
  deviceClasses = [],
  resourceClaims = [],
  resourceClaimTemplates = [],
  resourceSlices = [],
}: PlainCluster): Pick<ClusterSnapshot, 'devices'> => {
  const lists = { deviceClasses, resourceClaims, resourceClaimTemplates, resourceSlices };
  return Object.values(lists).every((list) => list.length === 0) ? {} : { devices: deviceViewOf(lists) };
};

const CORDONED: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** A node that is cordoned keeps pods off before its taint says so. */
const taintsOf = ({ spec: { taints = [], unschedulable = false } = {} }: Node): readonly Taint[] =>
  unschedulable && taints.every(({ key }) => key !== CORDONED.key) ? [...taints, CORDONED] : taints;

const limitsOf = (csiNode: CSINode | undefined): Pick<NodeView, 'volumeLimits'> => {
  const volumeLimits = volumeLimitsOf(csiNode);
  return volumeLimits === undefined ? {} : { volumeLimits };
};

const viewOf = (node: Node, pods: readonly Pod[], csiNode: CSINode | undefined): NodeView => {
  const { metadata, status } = node;
  const nodePoolName = metadata.labels?.[labels.nodePool];
  return {
    name: metadata.name,
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    taints: taintsOf(node),
    capacity: resourcesOf(status?.capacity),
    allocatable: resourcesOf(status?.allocatable),
    pods,
    ...(nodePoolName === undefined ? {} : { nodePoolName }),
    hasNode: true,
    isRegistered: true,
    isInitialized: true,
    isReady: isConditionTrue(status?.conditions, 'Ready'),
    isMarkedForDeletion: metadata.deletionTimestamp !== undefined,
    ...limitsOf(csiNode),
  };
};

const podGroupsOf = ({ podGroups = [], pods }: PlainCluster): Pick<ClusterSnapshot, 'podGroups'> => {
  const groups = podGroupTable(podGroups, pods.filter(isSucceededMember));
  return groups.size === 0 ? {} : { podGroups: groups };
};

const usageOf = (nodes: readonly NodeView[], pool: string): Resources => {
  const own = nodes.filter(({ nodePoolName, isMarkedForDeletion }) => nodePoolName === pool && !isMarkedForDeletion);
  return { ...sumResources(own.map(({ capacity }) => capacity)), nodes: own.length };
};

/**
 * The snapshot of a cluster that is given as plain JSON, for `simulate`; `null` is the same as missing. Throws nothing:
 * what is not of the sort that it should be is left out and named in `leftOut`, and the plan reports it. Costs a walk
 * over everything.
 */
export const snapshotOf = (plain: PlainCluster): ClusterSnapshot => {
  const { cluster, leftOut } = readableCluster(withoutNulls(plain));
  const { nodePools, nodes = [], daemonSets = [], podDisruptionBudgets = [], namespaces = [], csiNodes = [], selecting } = cluster;
  const podsOn = podsByNode(cluster.pods.map(whole));
  const csiNodeOf = new Map(csiNodes.map((csiNode) => [csiNode.metadata.name, csiNode]));
  const views = nodes.map((node) => viewOf(node, podsOn.get(node.metadata.name) ?? [], csiNodeOf.get(node.metadata.name)));
  const types = cluster.instanceTypes.map(instanceTypeOf);
  return {
    nodePools: nodePools.map((nodePool) => ({ nodePool, instanceTypes: types, usage: usageOf(views, nodePool.metadata.name) })),
    nodes: views,
    pendingPods: podsOn.get('') ?? [],
    daemonSets,
    podDisruptionBudgets,
    namespaceLabels: new Map(namespaces.map(({ metadata }) => [metadata.name, metadata.labels ?? {}])),
    storage: storageOf(cluster),
    ...devicesOf(cluster),
    ...podGroupsOf(cluster),
    ...(selecting === undefined ? {} : { podSelectors: selecting.map((object) => podSelectorOf(object.kind, object)) }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
};
