import type { ClusterSnapshot, Plan, PlannedNode } from '@karpenter/core';
import type { NodePoolView } from '@karpenter/core/internal';
import { floatAmountsOf, limitAmounts, overfullResource, plus } from './amounts.ts';
import type { FloatAmounts } from './amounts.ts';
import type { Violation } from './violation.ts';

/** The most that a planned node may turn out to have of each resource. */
const largestOf = ({ instanceTypes }: PlannedNode): FloatAmounts => {
  const most: Record<string, number> = { nodes: 1 };
  for (const { capacity } of instanceTypes) {
    for (const [name, amount] of Object.entries(capacity)) most[name] = Math.max(most[name] ?? 0, amount);
  }
  return floatAmountsOf(most);
};

const usageLess = ({ nodePool, usage }: NodePoolView, gone: ReadonlySet<string>, { nodes }: ClusterSnapshot): FloatAmounts => {
  const left: Record<string, number> = { ...usage };
  for (const node of nodes) {
    if (!gone.has(node.name) || node.isMarkedForDeletion || node.nodePoolName !== nodePool.metadata.name) continue;
    for (const [name, amount] of Object.entries({ ...node.capacity, nodes: 1 })) left[name] = (left[name] ?? 0) - amount;
  }
  return floatAmountsOf(left);
};

const isReserved = ({ claim }: PlannedNode): boolean =>
  claim.spec.requirements.some(
    ({ key, values = [] }) => key === 'karpenter.sh/capacity-type' && values.length === 1 && values[0] === 'reserved',
  );

const checkMinValues = (planned: PlannedNode, { nodePool }: NodePoolView): readonly Violation[] =>
  nodePool.spec.template.spec.requirements.flatMap(({ key, minValues = 0 }) => {
    const values = new Set(
      planned.instanceTypes.flatMap(({ requirements }) => {
        const own = requirements.get(key)?.values;
        return own?.kind === 'in' ? [...own.values] : [];
      }),
    );
    if (values.size >= minValues) return [];
    return [{ rule: 'min-values' as const, subject: nodePool.metadata.name, detail: `${key} has ${values.size} of ${minValues} values` }];
  });

/** The limits of the cluster, with the planned nodes of all pools at their largest. */
const checkClusterLimits = (
  { clusterLimits, nodes }: ClusterSnapshot,
  { plannedNodes }: Plan,
  gone: ReadonlySet<string>,
): readonly Violation[] => {
  if (clusterLimits === undefined || plannedNodes.length === 0) return [];
  const left: Record<string, number> = { ...clusterLimits.usage };
  for (const node of nodes) {
    if (!gone.has(node.name) || node.isMarkedForDeletion || node.nodePoolName === undefined) continue;
    for (const [name, amount] of Object.entries({ ...node.capacity, nodes: 1 })) left[name] = (left[name] ?? 0) - amount;
  }
  const limits = floatAmountsOf(clusterLimits.limits);
  const used = plannedNodes.map(largestOf).reduce(plus, floatAmountsOf(left));
  const broken = overfullResource(new Map([...used].filter(([resource]) => limits.has(resource))), limits);
  return broken === undefined ? [] : [{ rule: 'limits', subject: 'cluster', detail: `${broken} goes beyond its limit` }];
};

const validateEachPool = (
  snapshot: ClusterSnapshot,
  plan: Plan,
  { gone, isStrict }: { gone: ReadonlySet<string>; isStrict: boolean },
): readonly Violation[] =>
  snapshot.nodePools.flatMap((pool) => {
    const { name } = pool.nodePool.metadata;
    const planned = plan.plannedNodes.filter(({ nodePoolName }) => nodePoolName === name);
    const minValues = isStrict ? planned.flatMap((node) => (isReserved(node) ? [] : checkMinValues(node, pool))) : [];
    const limits = limitAmounts(pool.nodePool.spec.limits);
    if (limits.size === 0 || planned.length === 0) return minValues;
    const used = planned.map(largestOf).reduce(plus, usageLess(pool, gone, snapshot));
    const limited = new Map([...used].filter(([resource]) => limits.has(resource)));
    const broken = overfullResource(limited, limits);
    return broken === undefined
      ? minValues
      : [...minValues, { rule: 'limits' as const, subject: name, detail: `${broken} goes beyond its limit` }];
  });

/** Limits of every pool and of the cluster with all planned nodes at their largest, and `minValues` of every planned node. */
export const validatePools: typeof validateEachPool = (snapshot, plan, how) => [
  ...validateEachPool(snapshot, plan, how),
  ...checkClusterLimits(snapshot, plan, how.gone),
];
