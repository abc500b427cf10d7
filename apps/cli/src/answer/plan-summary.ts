import {
  type ClusterSnapshot,
  explain,
  explainTree,
  labels,
  type Plan,
  type PlannedNode,
  type Pod,
  type Rejection,
  type SchedulingPolicy,
} from '@karpenter/core';
import { namespacedNameOf, type RelaxedPods, relaxedTexts, splitPlan } from '@karpenter/core/internal';

/** The machine that a plan makes, most probably. */
export interface PlannedMachine {
  readonly nodePool: string;
  readonly instanceType: string;
  /** What the node's zone label will say. */
  readonly zone: string;
  /** False: the machine stands somewhere in the region, in none of its zones. */
  readonly isZonal: boolean;
  readonly capacityType: string;
  readonly pricePerHour: number;
}

/** Nodes of one size that a plan makes; the price is that of all of them together. */
export interface PlannedNodes extends PlannedMachine {
  readonly count: number;
  /** Of all of them together. */
  readonly pods: number;
}

/** A pod that finds no place, and why. */
export interface Unplaced {
  readonly pod: string;
  readonly why: string;
  /** The same, line by line. */
  readonly tree: readonly string[];
}

/** Equal pods that are placed, all or some of them, without some of their preferences. */
export interface RelaxedGroup {
  /** The oldest of them. */
  readonly pod: string;
  /** How many they are. */
  readonly pods: number;
  readonly preferences: RelaxedPods['relaxed'];
  /** The same in words, a line for each preference. */
  readonly why: readonly string[];
}

/** What a plan comes to. */
export interface PlanSummary {
  readonly nodes: readonly PlannedNodes[];
  /** Node name → how many pods fit there. */
  readonly onExistingNodes: Readonly<Record<string, number>>;
  readonly unplaced: readonly Unplaced[];
  readonly relaxed: readonly RelaxedGroup[];
  readonly pricePerHour: number;
}

/** `namespace/name`. */
export const podNameOf = ({ metadata }: Pod): string => namespacedNameOf(metadata);

export const unplacedOf = (rejection: Rejection): Unplaced => ({
  pod: podNameOf(rejection.pod),
  why: explain(rejection),
  tree: explainTree(rejection).split('\n').slice(1),
});

export const relaxedGroupOf = (group: RelaxedPods): RelaxedGroup => ({
  pod: podNameOf(group.pod),
  pods: group.pods.length,
  preferences: group.relaxed,
  why: relaxedTexts(group),
});

/** Largest price first, names last. */
const byPrice = (a: PlannedNodes, b: PlannedNodes): number =>
  b.pricePerHour - a.pricePerHour || (`${a.nodePool}/${a.instanceType}/${a.zone}` < `${b.nodePool}/${b.instanceType}/${b.zone}` ? -1 : 1);

type Labelled = Pick<SchedulingPolicy, 'labelCatalog'>;

/** What the catalog makes of an empty zone stands for none. */
export const plannedMachine = ({ nodePoolName, cheapest }: PlannedNode, { labelCatalog }: Labelled): PlannedMachine => {
  const { instanceType, offering } = cheapest;
  const { zone, capacityType, pricePerHour } = offering;
  const isZonal = zone !== labelCatalog.normalizedValues.get(labels.zone)?.get('');
  return { nodePool: nodePoolName, instanceType: instanceType.name, zone, isZonal, capacityType, pricePerHour };
};

const nodesOf = ({ plannedNodes }: Plan, policy: Labelled): readonly PlannedNodes[] => {
  const groups = new Map<string, PlannedNodes>();
  for (const planned of plannedNodes) {
    const machine = plannedMachine(planned, policy);
    const key = [machine.nodePool, machine.instanceType, machine.zone, machine.capacityType].join(' ');
    const known = groups.get(key);
    groups.set(key, {
      ...machine,
      count: (known?.count ?? 0) + 1,
      pods: (known?.pods ?? 0) + planned.pods.length,
      pricePerHour: (known?.pricePerHour ?? 0) + machine.pricePerHour,
    });
  }
  return [...groups.values()].sort(byPrice);
};

/** The plan without the virtual pods of CapacityBuffers; nodes that are for them alone stay, with no pods. */
export const withoutBuffers = (plan: Plan, { buffers = [] }: Pick<ClusterSnapshot, 'buffers'>): Plan => splitPlan(plan, buffers).plan;

/** Summarizes a plan for the snapshot. The price includes the room of CapacityBuffers. */
export const planSummary = (whole: Plan, snapshot: Pick<ClusterSnapshot, 'buffers'>, policy: Labelled): PlanSummary => {
  const plan = withoutBuffers(whole, snapshot);
  return {
    nodes: nodesOf(plan, policy),
    onExistingNodes: Object.fromEntries([...plan.placements].map(([name, pods]) => [name, pods.length])),
    unplaced: plan.rejections.map(unplacedOf),
    relaxed: (plan.relaxed ?? []).map(relaxedGroupOf),
    pricePerHour: plan.pricePerHour,
  };
};
