import type { NodeRow } from '@karpenter/cli/answers';

/** One node as the page draws it. A row of `karpenter nodes`, with the pods that fill it. */
export interface NodeTile extends Omit<NodeRow, 'ageSeconds'> {
  /** Epoch ms; absent where neither the Node nor its NodeClaim says. */
  readonly createdAtMs?: number;
  /** Of each pod its share of the allocatable cpu, in thousandths, largest first; the last may be of several pods. */
  readonly cpuShares: readonly number[];
  /** The same of memory. */
  readonly memoryShares: readonly number[];
}

/** A limit of a NodePool. Amounts are quantities as Kubernetes writes them. */
export interface LimitRow {
  readonly resource: string;
  readonly used: string;
  readonly limit: string;
  /** From 0 to 1; beyond 1 where a limit was lowered. */
  readonly share: number;
}

/** An instance type that a NodePool may launch, at its cheapest. */
export interface TypeRow {
  readonly name: string;
  readonly cpu: string;
  readonly memory: string;
  readonly pricePerHour: number;
  readonly zone: string;
  readonly capacityType: string;
}

export interface PoolRow {
  readonly name: string;
  readonly weight: number;
  /** Why it launches nothing now; absent where it may. */
  readonly closedBy?: string;
  readonly nodes: number;
  readonly pricePerHour: number;
  readonly limits: readonly LimitRow[];
  /** How many instance types meet its requirements. */
  readonly matchingTypes: number;
  /** The cheapest of them. */
  readonly cheapestTypes: readonly TypeRow[];
}

/** Pending pods with the same reason. */
export interface PendingGroup {
  readonly reason: string;
  readonly count: number;
  /** Some of their names. */
  readonly pods: readonly string[];
}

export type DecisionOutcome = 'running' | 'done' | 'failed';

/** One decision, and what became of it. */
export interface DecisionRow {
  readonly id: string;
  readonly atMs: number;
  readonly title: string;
  readonly outcome: DecisionOutcome;
  /** `ready after 35 s`, or why it failed. */
  readonly result?: string;
  readonly reason?: string;
  readonly savingsPerHour?: number;
  /** Preferences that pods of a plan are placed without, a line for each group of equal pods; absent where there are none. */
  readonly relaxed?: readonly string[];
}

/** The cluster at one moment. */
export interface PricePoint {
  readonly atMs: number;
  readonly pricePerHour: number;
  readonly nodes: number;
}

export interface Totals {
  readonly nodes: number;
  readonly pods: number;
  readonly pendingPods: number;
  readonly cpuShare: number;
  readonly memoryShare: number;
  readonly pricePerHour: number;
  /** Karpenter's nodes without a price. */
  readonly unknownPrices: number;
}

/** Everything but the nodes: it is small, and sent again whenever a part of it changes. */
export interface Overview {
  /** Whether this replica decides; another one knows the cluster, but not the decisions. */
  readonly isLeader: boolean;
  readonly totals: Totals;
  readonly pools: readonly PoolRow[];
  readonly pending: readonly PendingGroup[];
  /** Latest first. */
  readonly decisions: readonly DecisionRow[];
  readonly prices: readonly PricePoint[];
}

/** What the page begins with. */
export interface DashboardState extends Overview {
  readonly nodes: readonly NodeTile[];
}

/** What has changed since the last message. Parts that are absent are as before. */
export interface StateChange extends Partial<Omit<Overview, 'prices'>> {
  /** To be added to the prices. */
  readonly addedPrices: readonly PricePoint[];
  readonly changedNodes: readonly NodeTile[];
  readonly goneNodes: readonly string[];
}
