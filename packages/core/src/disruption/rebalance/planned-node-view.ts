import { labels } from '../../apis/index.ts';
import { allocatableOf } from '../../catalog/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import type { PlannedNode } from '../../scheduling/index.ts';

/** The labels that have one value only. */
const soleValues = (requirements: Requirements): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...requirements.values()].flatMap(({ key, values }) => {
      const [value, ...others] = values.kind === 'in' ? values.values : [];
      return value === undefined || others.length > 0 ? [] : [[key, value]];
    }),
  );

/** The labels for which the claim allows one value only. */
const claimedValues = ({ spec: { requirements } }: PlannedNode['claim']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    requirements.flatMap(({ key, operator, values: [value, ...others] = [] }) =>
      operator === 'In' && value !== undefined && others.length === 0 ? [[key, value]] : [],
    ),
  );

/**
 * The machine of a planned node once it is up, with the node's cheapest type. Without a claim: it is a place for pods,
 * and is not disrupted again.
 */
export const plannedNodeView = ({ nodePoolName, cheapest, claim, pods }: PlannedNode, name: string): NodeView => {
  const { instanceType, offering } = cheapest;
  return {
    name,
    nodePoolName,
    labels: {
      ...soleValues(instanceType.requirements),
      ...soleValues(offering.requirements),
      ...claimedValues(claim),
      ...claim.labels,
      [labels.nodePool]: nodePoolName,
      [labels.instanceType]: instanceType.name,
      [labels.zone]: offering.zone,
      [labels.capacityType]: offering.capacityType,
      [labels.hostname]: name,
    },
    annotations: {},
    taints: claim.spec.taints ?? [],
    capacity: instanceType.capacity,
    allocatable: allocatableOf(instanceType),
    pods,
    ...{ hasNode: true, isRegistered: true, isInitialized: true, isReady: true, isMarkedForDeletion: false },
  };
};
