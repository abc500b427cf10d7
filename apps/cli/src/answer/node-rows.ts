import { type ClusterSnapshot, type Command, epochMsOf, labels } from '@karpenter/core';
import { type Blocker, isDaemonPod, nodePrice, type NodeView, usageOfNode } from '@karpenter/core/internal';
import { blockerLabel, commandLabel } from './blocker-label.ts';

export type NodeRowState = 'launching' | 'starting' | 'ready' | 'not ready' | 'cordoned' | 'drifted' | 'leaving';

/** How much of a resource is requested: cpu in cores, memory in bytes, pods as a count. */
export interface Fill {
  readonly requested: number;
  readonly allocatable: number;
}

/** One node, as `karpenter nodes` shows it. */
export interface NodeRow {
  readonly name: string;
  /** Absent: the node is not Karpenter's. */
  readonly nodePool?: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly ageSeconds?: number;
  readonly state: NodeRowState;
  readonly cpu: Fill;
  readonly memory: Fill;
  readonly pods: Fill;
  /** Dollars; absent where the catalog does not know it. */
  readonly pricePerHour?: number;
  /** Why it stays, or what is about to happen to it. */
  readonly heldBy: string;
}

/** What the rows are made of. */
export interface NodeFacts {
  readonly snapshot: ClusterSnapshot;
  readonly blocked: ReadonlyMap<string, Blocker>;
  readonly command: Command | undefined;
  readonly createdAt: (node: NodeView) => string | undefined;
  readonly nowMs: number;
}

const isDrifted = ({ claim }: NodeView): boolean =>
  claim?.status?.conditions?.some(({ type, status }) => type === 'Drifted' && status === 'True') ?? false;

const isCordoned = ({ taints }: NodeView): boolean => taints.some(({ key }) => key === 'node.kubernetes.io/unschedulable');

/** A machine that does not take pods yet. */
const earlyStateOf = ({ claim, hasNode, isInitialized }: NodeView): NodeRowState | undefined => {
  if (claim === undefined || isInitialized) return undefined;
  return hasNode || claim.status?.providerID !== undefined ? 'starting' : 'launching';
};

const nodeStateOf = (node: NodeView): NodeRowState => {
  if (node.isMarkedForDeletion) return 'leaving';
  const early = earlyStateOf(node);
  if (early !== undefined) return early;
  if (!node.isReady) return 'not ready';
  if (isCordoned(node)) return 'cordoned';
  return isDrifted(node) ? 'drifted' : 'ready';
};

/** What the node costs an hour; undefined where no catalog knows it. */
export const priceOfNode = ({ nodePools }: ClusterSnapshot, node: NodeView): number | undefined => {
  const pool = nodePools.find(({ nodePool }) => nodePool.metadata.name === node.nodePoolName);
  return pool && nodePrice(node, pool.instanceTypes);
};

const heldByOf = ({ blocked, command }: NodeFacts, node: NodeView): string => {
  if (node.claim === undefined) return "not Karpenter's";
  if (command?.candidates.some((candidate) => candidate.node.name === node.name)) return commandLabel(command);
  const blocker = blocked.get(node.name);
  return blocker === undefined ? '' : blockerLabel(blocker);
};

const fillOf = (node: NodeView, resource: string, unit: number): Fill => ({
  requested: (usageOfNode(node)[resource] ?? 0) / unit,
  allocatable: (node.allocatable[resource] ?? 0) / unit,
});

/** The row of one node. */
export const nodeRow = (facts: NodeFacts, node: NodeView): NodeRow => {
  const createdAtMs = epochMsOf(facts.createdAt(node));
  const pricePerHour = priceOfNode(facts.snapshot, node);
  return {
    name: node.name,
    ...(node.nodePoolName === undefined ? {} : { nodePool: node.nodePoolName }),
    instanceType: node.labels[labels.instanceType] ?? '',
    zone: node.labels[labels.zone] ?? '',
    capacityType: node.labels[labels.capacityType] ?? '',
    ...(createdAtMs === undefined ? {} : { ageSeconds: Math.max(0, Math.round((facts.nowMs - createdAtMs) / 1000)) }),
    state: nodeStateOf(node),
    cpu: fillOf(node, 'cpu', 1000),
    memory: fillOf(node, 'memory', 1),
    pods: { requested: node.pods.length, allocatable: node.allocatable['pods'] ?? 0 },
    ...(pricePerHour === undefined ? {} : { pricePerHour }),
    heldBy: heldByOf(facts, node),
  };
};

/** All nodes together. */
export interface NodeTotals {
  readonly nodes: number;
  readonly cpu: Fill;
  readonly memory: Fill;
  /** Pods on the nodes, those of DaemonSets aside. */
  readonly pods: number;
  readonly pendingPods: number;
  /** The sum of the prices that are known. */
  readonly pricePerHour: number;
  /** Karpenter's nodes without a price. */
  readonly unknownPrices: number;
}

const sum = (rows: readonly NodeRow[], part: (row: NodeRow) => number): number => rows.reduce((total, row) => total + part(row), 0);

const fillSum = (rows: readonly NodeRow[], resource: 'cpu' | 'memory'): Fill => ({
  requested: sum(rows, (row) => row[resource].requested),
  allocatable: sum(rows, (row) => row[resource].allocatable),
});

export interface NodesAnswer {
  /** By pool and name; nodes that are not Karpenter's come last. */
  readonly nodes: readonly NodeRow[];
  readonly totals: NodeTotals;
}

const byPoolAndName = (a: NodeRow, b: NodeRow): number => {
  const [one, other] = [a, b].map(({ nodePool = '\uffff', name }) => `${nodePool}\0${name}`);
  return (one ?? '') < (other ?? '') ? -1 : 1;
};

export const nodesAnswer = (facts: NodeFacts): NodesAnswer => {
  const { nodes, pendingPods } = facts.snapshot;
  const rows = nodes.map((node) => nodeRow(facts, node)).sort(byPoolAndName);
  const own = rows.filter(({ nodePool }) => nodePool !== undefined);
  return {
    nodes: rows,
    totals: {
      nodes: rows.length,
      cpu: fillSum(rows, 'cpu'),
      memory: fillSum(rows, 'memory'),
      pods: nodes.reduce((total, { pods }) => total + pods.filter((pod) => !isDaemonPod(pod)).length, 0),
      pendingPods: pendingPods.length,
      pricePerHour: sum(own, ({ pricePerHour = 0 }) => pricePerHour),
      unknownPrices: own.filter(({ pricePerHour }) => pricePerHour === undefined).length,
    },
  };
};
