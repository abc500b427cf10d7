import type { NodePool } from '../apis/index.ts';
import type { FieldProblem } from '../base/index.ts';
import type { InstanceType } from '../catalog/index.ts';
import type { DaemonSet, Pod, PodDisruptionBudget, Resources, Taint } from '../kube/index.ts';
import type { BufferView } from './buffers.ts';
import type { DeviceView, StorageView } from './device-view.ts';
import type { NodeView } from './node-view.ts';
import type { PodGroupTable } from './pods/pod-group.ts';
import type { PodSelector } from './pods/pod-selector.ts';

type StorageKind = 'PersistentVolumeClaim' | 'PersistentVolume' | 'StorageClass' | 'CSINode';
type DeviceKind = 'DeviceClass' | 'ResourceClaim' | 'ResourceClaimTemplate' | 'ResourceSlice';
type WorkloadKind = 'Pod' | 'DaemonSet' | 'PodDisruptionBudget' | 'PodGroup' | 'Namespace';
type LeftOutKind = 'NodePool' | 'InstanceType' | 'Node' | WorkloadKind | StorageKind | DeviceKind | PodSelector['kind'];

/** Something of a snapshot that cannot be read, and so was left out: the decision was made as if it were not there. */
export interface LeftOut {
  readonly kind: LeftOutKind;
  /** `namespace/name` where the kind has namespaces. An instance type: `<NodePool>/<type>`. */
  readonly name: string;
  readonly problem: FieldProblem;
}

/** The sentence that a person reads about it. */
export const explainLeftOut = ({ kind, name, problem: { field, value, problem } }: LeftOut): string =>
  `${kind} ${name} is left out: ${field} is "${value}": ${problem}`;

/**
 * Everything that a decision depends on, but for policy and time. Plain readonly data with shared structure: cheap to
 * take, never a copy. The order of its arrays means nothing; the same content gives the same plan.
 */
export interface ClusterSnapshot {
  /** Every NodePool of the provider's, with what it is offered. Not each may launch. */
  readonly nodePools: readonly NodePoolView[];
  /** Absent: only each pool's own limits hold. */
  readonly clusterLimits?: ClusterLimits;
  readonly nodes: readonly NodeView[];
  /** Pods that the scheduler could not place. */
  readonly pendingPods: readonly Pod[];
  /** CapacityBuffers that ask for room now; absent: there are none. Their virtual pods are placed after all others. */
  readonly buffers?: readonly BufferView[];
  readonly daemonSets: readonly DaemonSet[];
  readonly podDisruptionBudgets: readonly PodDisruptionBudget[];
  /** Namespace → its labels, for the namespace selectors of pod affinity. */
  readonly namespaceLabels: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Absent: there is no claim, no volume and no class. */
  readonly storage?: StorageView;
  /** Absent: device allocation is off, and pods with ResourceClaims are refused. */
  readonly devices?: DeviceView;
  /** What PodGroup objects and succeeded pods say about pod groups; absent: nothing. */
  readonly podGroups?: PodGroupTable;
  /** What picks pods, for the policy's `defaultSpread`; read for nothing else. */
  readonly podSelectors?: readonly PodSelector[];
  /** What could not be read when the snapshot was made, and is not in it; absent: nothing. The plan reports it. */
  readonly leftOut?: readonly LeftOut[];
  /**
   * Names of NodePools whose NodeClass is of another provider; absent: there are none. Only the reasons of pods that
   * name them say so.
   */
  readonly foreignPools?: readonly string[];
}

/**
 * What the nodes of all NodePools may have together (as `spec.limits` of one), and what they have; machines marked for
 * deletion count zero.
 */
export interface ClusterLimits {
  readonly limits: Resources;
  readonly usage: Resources;
}

/** A NodePool, what its provider offers it, and what it has already. */
export interface NodePoolView {
  readonly nodePool: NodePool;
  readonly instanceTypes: readonly InstanceType[];
  /**
   * What the pool's nodes have together (capacity, and `nodes`); machines marked for deletion count zero. Compared with
   * `spec.limits`.
   */
  readonly usage: Resources;
  /** `false`: no machine is planned for it now (not ready, going, or static); its nodes are maintained all the same. */
  readonly mayLaunch?: false;
  /** Its last launch failed: it is planned with only for pods that no other pool takes. */
  readonly isAvoided?: true;
  /** Taints that hooks of the provider add to new nodes, as far as they kept pods away; beside those of its template. */
  readonly hookTaints?: readonly Taint[];
  /** Why no node is launched for the pool; shown in rejections. */
  readonly launchBlock?: LaunchBlock;
}

/**
 * What keeps a pool from launching for now. `launches-failing`: its launches keep failing, so it pauses. `static`: it
 * keeps a fixed number of nodes.
 */
export type LaunchBlock = 'not-ready' | 'nothing-offered' | 'launches-failing' | 'static' | 'deleting';

/** The pools that machines may be planned for. */
export const launchingPools = ({ nodePools }: Pick<ClusterSnapshot, 'nodePools'>): readonly NodePoolView[] =>
  nodePools.filter(({ mayLaunch }) => mayLaunch !== false);
