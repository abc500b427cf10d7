import type { NodePool } from '../../apis/index.ts';
import { shapeProblem } from '../../base/index.ts';
import type { FieldProblem, Shape } from '../../base/index.ts';
import type { PlainInstanceType } from '../../catalog/index.ts';
import { podRoomShape, quantityProblem } from '../../kube/index.ts';
import type {
  CSINode,
  DaemonSet,
  DeviceClass,
  Node,
  ObjectMeta,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  PodGroupObject,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
  StorageClass,
} from '../../kube/index.ts';
import type { LeftOut } from '../cluster-snapshot.ts';
import { selectingKinds } from '../pods/pod-selector.ts';
import type { PodSelector, SelectingObject } from '../pods/pod-selector.ts';
import { instanceTypeShape, nodePoolShape, podShape, shapesByKind } from './plain-shapes.ts';

/** A cluster as plain JSON: objects as `kubectl get -o json` gives them under `items`, and sizes of machines. */
export interface PlainCluster {
  readonly nodePools: readonly NodePool[];
  /** Offered to each of the pools. */
  readonly instanceTypes: readonly PlainInstanceType[];
  /**
   * Those without `spec.nodeName` are pending, the others run on their nodes. Passed over: what has ended, and of the
   * pending those that are gated, being deleted, or of a DaemonSet.
   */
  readonly pods: readonly Pod[];
  readonly nodes?: readonly Node[];
  readonly daemonSets?: readonly DaemonSet[];
  readonly podDisruptionBudgets?: readonly PodDisruptionBudget[];
  /** Of kubernetes-sigs/scheduler-plugins: how many pods of a group must have a place together. */
  readonly podGroups?: readonly PodGroupObject[];
  readonly namespaces?: readonly { readonly metadata: ObjectMeta }[];
  readonly persistentVolumeClaims?: readonly PersistentVolumeClaim[];
  readonly persistentVolumes?: readonly PersistentVolume[];
  readonly storageClasses?: readonly StorageClass[];
  /** How many volumes each node attaches; without its CSINode a node attaches any number. */
  readonly csiNodes?: readonly CSINode[];
  /** Devices, for pods with ResourceClaims. Without any of the four lists such pods are refused. */
  readonly deviceClasses?: readonly DeviceClass[];
  readonly resourceClaims?: readonly ResourceClaim[];
  readonly resourceClaimTemplates?: readonly ResourceClaimTemplate[];
  readonly resourceSlices?: readonly ResourceSlice[];
  /** Services, ReplicationControllers, ReplicaSets and StatefulSets: they count only for the policy's `defaultSpread`. */
  readonly selecting?: readonly (SelectingObject & { readonly kind: PodSelector['kind'] })[];
}

type Kind = LeftOut['kind'];
type Judge<T> = (each: T) => FieldProblem | undefined;

interface Meta {
  readonly name?: unknown;
  readonly namespace?: unknown;
}

const withoutNamespace: ReadonlySet<Kind> = new Set([
  'NodePool',
  'InstanceType',
  'Node',
  'Namespace',
  'PersistentVolume',
  'StorageClass',
  'CSINode',
  'DeviceClass',
  'ResourceSlice',
]);

const textOr = (value: unknown, text: string): string => (typeof value === 'string' ? value : text);

/** As far as it can be read: the object may be anything. */
const nameOf = (kind: Kind, object: unknown): string => {
  const { metadata, name } = (object ?? {}) as { readonly metadata?: Meta; readonly name?: unknown };
  const own = textOr(metadata?.name ?? name, 'without a name');
  return withoutNamespace.has(kind) ? own : `${textOr(metadata?.namespace, 'default')}/${own}`;
};

/** Plain data sorted into what can be read and what is left out. */
class Sieve {
  readonly leftOut: LeftOut[] = [];

  sift<T>(kind: Kind, all: readonly T[], judge: Judge<T>): readonly T[] {
    return all.filter((each) => {
      const problem = judge(each);
      if (problem !== undefined) this.leftOut.push({ kind, name: nameOf(kind, each), problem });
      return problem === undefined;
    });
  }
}

const ofShape =
  (shape: Shape): Judge<unknown> =>
  (value) =>
    shapeProblem(shape, value, '');

/** Amounts that are no quantities, once all else is as it should be. */
const amountsOf =
  <T>(shape: Shape, lists: (object: T) => readonly (readonly [field: string, list: Parameters<typeof quantityProblem>[1]])[]): Judge<T> =>
  (object) => {
    const problem = shapeProblem(shape, object, '');
    if (problem !== undefined) return problem;
    return lists(object)
      .map(([field, list]) => quantityProblem(field, list))
      .find((each) => each !== undefined);
  };

const nodeProblem = amountsOf<NonNullable<PlainCluster['nodes']>[number]>(shapesByKind.Node, ({ status }) => [
  ['status.capacity', status?.capacity],
  ['status.allocatable', status?.allocatable],
]);

const typeProblem = amountsOf<PlainCluster['instanceTypes'][number]>(instanceTypeShape, ({ capacity, overhead }) => [
  ['capacity', capacity],
  ['overhead', overhead],
]);

type Selecting = NonNullable<PlainCluster['selecting']>[number];

const kindOf = ({ kind }: Selecting): PodSelector['kind'] | undefined => selectingKinds.find((each) => each === kind);

const selectingProblem = (object: Selecting): FieldProblem | undefined => {
  const kind = kindOf(object);
  if (kind !== undefined) return shapeProblem(shapesByKind[kind], object, '');
  const value = typeof object.kind === 'string' ? object.kind : typeof object.kind;
  return { field: 'kind', value, problem: `must be one of ${selectingKinds.join(', ')}` };
};

const nodeNameOf = (pod: Partial<Pod>): string | undefined => {
  const name: unknown = (pod.spec as Partial<Pod['spec']> | undefined)?.nodeName;
  return typeof name === 'string' && name !== '' ? name : undefined;
};

/** A node that runs a pod with unreadable requests is no place for others. */
const crowdedNodes = (pods: readonly Pod[]): ReadonlyMap<string, FieldProblem> => {
  const crowded = new Map<string, FieldProblem>();
  for (const pod of pods) {
    const nodeName = nodeNameOf(pod);
    const problem = nodeName === undefined ? undefined : (shapeProblem(podShape, pod, '') ?? shapeProblem(podRoomShape, pod, ''));
    if (nodeName === undefined || problem === undefined) continue;
    crowded.set(nodeName, { ...problem, field: `pods[${nameOf('Pod', pod)}].${problem.field}` });
  }
  return crowded;
};

/** Plain data whose every part has the right type, and what was left out for that. */
export const readableCluster = (cluster: PlainCluster): { readonly cluster: PlainCluster; readonly leftOut: readonly LeftOut[] } => {
  const sieve = new Sieve();
  const { selecting } = cluster;
  const crowded = crowdedNodes(cluster.pods);
  const siftKind = <T>(kind: keyof typeof shapesByKind, all: readonly T[] = []): readonly T[] =>
    sieve.sift(kind, all, ofShape(shapesByKind[kind]));
  const readable: PlainCluster = {
    ...cluster,
    nodePools: sieve.sift('NodePool', cluster.nodePools, ofShape(nodePoolShape)),
    instanceTypes: sieve.sift('InstanceType', cluster.instanceTypes, typeProblem),
    nodes: sieve.sift('Node', cluster.nodes ?? [], (node) => nodeProblem(node) ?? crowded.get(node.metadata.name)),
    pods: sieve.sift('Pod', cluster.pods, (pod) => (nodeNameOf(pod) === undefined ? shapeProblem(podShape, pod, '') : undefined)),
    daemonSets: siftKind('DaemonSet', cluster.daemonSets),
    podDisruptionBudgets: siftKind('PodDisruptionBudget', cluster.podDisruptionBudgets),
    podGroups: siftKind('PodGroup', cluster.podGroups),
    namespaces: siftKind('Namespace', cluster.namespaces),
    persistentVolumeClaims: siftKind('PersistentVolumeClaim', cluster.persistentVolumeClaims),
    persistentVolumes: siftKind('PersistentVolume', cluster.persistentVolumes),
    storageClasses: siftKind('StorageClass', cluster.storageClasses),
    csiNodes: siftKind('CSINode', cluster.csiNodes),
    deviceClasses: siftKind('DeviceClass', cluster.deviceClasses),
    resourceClaims: siftKind('ResourceClaim', cluster.resourceClaims),
    resourceClaimTemplates: siftKind('ResourceClaimTemplate', cluster.resourceClaimTemplates),
    resourceSlices: siftKind('ResourceSlice', cluster.resourceSlices),
    ...(selecting === undefined
      ? {}
      : { selecting: selecting.filter((each) => sieve.sift(kindOf(each) ?? 'Service', [each], selectingProblem).length > 0) }),
  };
  return { cluster: readable, leftOut: sieve.leftOut };
};
