import { labels, type Node, type NodeClaim, type Pod, resourcesOf } from '@karpenter/core';
import { podRequests } from '@karpenter/core/internal';

/** Every pod is pending, starting, running or ended. */
export interface PodCounts {
  /** Not ended, and without a node. */
  readonly pending: number;
  /** On a node, and not running yet. */
  readonly starting: number;
  readonly running: number;
  /** Succeeded or failed. */
  readonly ended: number;
}

/** What the demo shows of the cluster at one instant. */
export interface Sight {
  readonly pods: PodCounts;
  /** Karpenter's nodes and those on their way, by name. */
  readonly nodes: readonly NodeSight[];
}

export type NodePhase = 'launching' | 'starting' | 'ready' | 'leaving';

export interface NodeSight {
  readonly name: string;
  readonly phase: NodePhase;
  readonly sku: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly ageMs: number;
  readonly pods: number;
  /** Requested share of allocatable cpu, 0–1. */
  readonly cpuShare: number;
  readonly pricePerHour: number | undefined;
}

/** What the sight is made of. */
export interface Seen {
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly claims: readonly NodeClaim[];
  /** NodeClaim name → what it costs an hour, as the controller's decisions said. */
  readonly prices: ReadonlyMap<string, number>;
  readonly nowMs: number;
}

const isTrue = (claim: NodeClaim, type: string): boolean =>
  claim.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

const phaseOf = (claim: NodeClaim): NodePhase => {
  if (claim.metadata.deletionTimestamp !== undefined) return 'leaving';
  if (isTrue(claim, 'Initialized')) return 'ready';
  return isTrue(claim, 'Launched') ? 'starting' : 'launching';
};

const cpuShareOf = (node: Node | undefined, pods: readonly Pod[]): number => {
  const allocatable = resourcesOf(node?.status?.allocatable ?? {})['cpu'] ?? 0;
  const requested = pods.reduce((sum, pod) => sum + (podRequests(pod)['cpu'] ?? 0), 0);
  return allocatable === 0 ? 0 : requested / allocatable;
};

const nodeSightOf = (claim: NodeClaim, seen: Seen): NodeSight => {
  const node = seen.nodes.find(({ metadata }) => metadata.name === claim.status?.nodeName);
  const pods = node ? seen.pods.filter(({ spec }) => spec.nodeName === node.metadata.name) : [];
  const label = (key: string): string => claim.metadata.labels?.[key] ?? '';
  return {
    name: claim.metadata.name,
    phase: phaseOf(claim),
    sku: label(labels.instanceType),
    zone: label(labels.zone),
    capacityType: label(labels.capacityType),
    ageMs: seen.nowMs - Date.parse(claim.metadata.creationTimestamp ?? ''),
    pods: pods.length,
    cpuShare: cpuShareOf(node, pods),
    pricePerHour: seen.prices.get(claim.metadata.name),
  };
};

const podStateOf = ({ spec, status }: Pod): keyof PodCounts => {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return 'ended';
  if (spec.nodeName === undefined) return 'pending';
  return status?.phase === 'Running' ? 'running' : 'starting';
};

const podCountsOf = (pods: readonly Pod[]): PodCounts => {
  const counts = { pending: 0, starting: 0, running: 0, ended: 0 };
  for (const pod of pods) counts[podStateOf(pod)] += 1;
  return counts;
};

/** The cluster as one table's worth of facts. */
export const sightOf = (seen: Seen): Sight => ({
  pods: podCountsOf(seen.pods),
  nodes: seen.claims.map((claim) => nodeSightOf(claim, seen)).sort((a, b) => (a.name < b.name ? -1 : 1)),
});
