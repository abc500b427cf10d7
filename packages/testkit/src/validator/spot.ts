import type { ClusterSnapshot, Plan, PlannedNode, Taint } from '@karpenter/core';
import { launchableNodes } from './launchable-node.ts';
import type { PlainLabels } from './node-labels.ts';

const hostname = 'kubernetes.io/hostname';

/**
 * A node that pods are bound to: one that is there, or one that is planned and may come up with any of several sets of
 * labels.
 */
export interface Spot {
  readonly name: string;
  readonly taints: readonly Taint[];
  readonly labelSets: readonly PlainLabels[];
  /** Whether pods can still come; not so for a node that is being deleted, where some pods are left. */
  readonly isOpen: boolean;
}

/** Equal sets once: a claim names hundreds of instance types that differ in nothing that a constraint reads. */
const distinct = (labelSets: readonly PlainLabels[], keys: ReadonlySet<string>): readonly PlainLabels[] => [
  ...new Map(
    labelSets.map((labels) => {
      const read = Object.fromEntries(Object.entries(labels).filter(([key]) => keys.has(key)));
      return [JSON.stringify(Object.entries(read).sort()), read];
    }),
  ).values(),
];

/**
 * The spots of planned nodes, in their order. Nodes made from one claim text have the same labels, so those are worked
 * out once.
 */
export const plannedSpots = ({ plannedNodes }: Plan, { nodePools }: ClusterSnapshot, keys: ReadonlySet<string>): readonly Spot[] => {
  const known = new Map<PlannedNode['claim']['spec']['requirements'], { of: PlannedNode; sets: readonly PlainLabels[] }>();
  const setsOf = (planned: PlannedNode): readonly PlainLabels[] => {
    const { requirements } = planned.claim.spec;
    const found = known.get(requirements);
    if (found?.of.instanceTypes === planned.instanceTypes && found.of.claim.labels === planned.claim.labels) return found.sets;
    const sets = distinct(
      launchableNodes(planned).map(({ labels }) => labels),
      keys,
    );
    known.set(requirements, { of: planned, sets });
    return sets;
  };
  return plannedNodes.map((planned, index) => {
    const name = `planned node ${index}`;
    const pool = nodePools.find(({ nodePool }) => nodePool.metadata.name === planned.nodePoolName);
    return {
      name,
      taints: pool?.nodePool.spec.template.spec.taints ?? [],
      labelSets: setsOf(planned).map((labels) => ({ ...labels, [hostname]: name })),
      isOpen: true,
    };
  });
};

/** The spots of nodes that are there. */
export const existingSpots = ({ nodes }: ClusterSnapshot, gone: ReadonlySet<string>): readonly Spot[] =>
  nodes.map(({ name, labels, taints, isMarkedForDeletion }) => ({
    name,
    taints,
    labelSets: [{ [hostname]: name, ...labels }],
    isOpen: !isMarkedForDeletion && !gone.has(name),
  }));

/** The values of the label among these sets, undefined among them when it may be missing. */
export const valuesIn = (labelSets: readonly PlainLabels[], key: string): readonly (string | undefined)[] => [
  ...new Set(labelSets.map((labels) => labels[key])),
];

/** The values of the label that the node may have. */
export const valuesOn = ({ labelSets }: Spot, key: string): readonly (string | undefined)[] => valuesIn(labelSets, key);
