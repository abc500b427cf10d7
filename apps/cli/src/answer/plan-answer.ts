import {
  capacityTypes,
  type ClusterSnapshot,
  compatibleOfferings,
  type InstanceType,
  labels,
  type Pod,
  type Requirement,
  requirementsOf,
  type SchedulingPolicy,
} from '@karpenter/core';
import { finish, intersects, leastPriceAmong, type NodePoolView, planning, type Steps } from '@karpenter/core/internal';
import { type PlanSummary, planSummary, withoutBuffers } from './plan-summary.ts';

/** The same pods on other machines. */
export interface Alternative {
  /** `spot`, `arm64`, `family E`, `only NodePool batch`. */
  readonly name: string;
  readonly nodes: number;
  readonly pricePerHour: number;
  readonly unplacedPods: number;
}

export interface PlanAnswer {
  readonly pods: number;
  readonly plan: PlanSummary;
  /** What the pods' requests cost at the best price per cpu and per byte of the pools: no plan of new nodes costs less. */
  readonly leastPricePerHour: number;
  /** Cheapest first; those that place fewer pods last. */
  readonly alternatives: readonly Alternative[];
}

/** What is planned, and where. */
export interface PlanQuestion {
  readonly snapshot: ClusterSnapshot;
  readonly pods: readonly Pod[];
  readonly policy: SchedulingPolicy;
}

const FAMILIES_TRIED = 3;

/** The pools with their requirement on the label replaced. */
export const requiring = (pools: readonly NodePoolView[], key: string, value: string): readonly NodePoolView[] =>
  pools.map((view) => {
    const { nodePool } = view;
    const { template } = nodePool.spec;
    const others = template.spec.requirements.filter((each) => each.key !== key);
    const requirements = [...others, { key, operator: 'In' as const, values: [value] }];
    return {
      ...view,
      nodePool: { ...nodePool, spec: { ...nodePool.spec, template: { ...template, spec: { ...template.spec, requirements } } } },
    };
  });

/** Whether the type meets the requirement, whatever its offerings. */
const meets = ({ requirements }: InstanceType, wanted: Requirement): boolean => {
  const own = requirements.get(wanted.key);
  return own === undefined || intersects(own, wanted);
};

/** The pools with only what they may launch. */
export const narrowSnapshot = (
  pools: readonly NodePoolView[],
  { labelCatalog }: Pick<SchedulingPolicy, 'labelCatalog'>,
): readonly NodePoolView[] =>
  pools.map((view) => {
    const requirements = requirementsOf(view.nodePool.spec.template.spec.requirements, labelCatalog);
    const wanted = [...requirements.values()];
    const instanceTypes = view.instanceTypes.flatMap((type) => {
      if (!wanted.every((requirement) => meets(type, requirement))) return [];
      const offerings = compatibleOfferings(type, { requirements, labelCatalog });
      return offerings.length === 0 ? [] : [{ ...type, offerings }];
    });
    return { ...view, instanceTypes };
  });

const leastPrice = (pools: readonly NodePoolView[], { pods, policy }: PlanQuestion): number =>
  leastPriceAmong(narrowSnapshot(pools, policy))(pods);

interface Variant {
  readonly name: string;
  readonly nodePools: readonly NodePoolView[];
}

const valuesOf = (pools: readonly NodePoolView[], key: string): readonly string[] => {
  const values = pools.flatMap(({ instanceTypes }) =>
    instanceTypes.flatMap(({ requirements }) => {
      const found = requirements.get(key)?.values;
      return found?.kind === 'in' ? [...found.values] : [];
    }),
  );
  return [...new Set(values)].sort();
};

/** The label that distinguishes families of machines: `…/instance-family` on AWS and kwok, `…/sku-family` on Azure. */
const familyLabelOf = (pools: readonly NodePoolView[]): string | undefined => {
  const types = pools.flatMap(({ instanceTypes }) => instanceTypes);
  for (const { requirements } of types) for (const key of requirements.keys()) if (/\/(?:instance|sku)-family$/.test(key)) return key;
  return undefined;
};

/** The families in which the pods could cost least, beside those of the plan. */
const familyVariants = (question: PlanQuestion): readonly Variant[] => {
  const { nodePools } = question.snapshot;
  const familyLabel = familyLabelOf(nodePools);
  if (familyLabel === undefined) return [];
  return valuesOf(nodePools, familyLabel)
    .map((family) => ({ name: `family ${family}`, nodePools: requiring(nodePools, familyLabel, family) }))
    .map((variant) => ({ ...variant, least: leastPrice(variant.nodePools, question) }))
    .filter(({ least }) => least > 0)
    .sort((a, b) => a.least - b.least || (a.name < b.name ? -1 : 1))
    .slice(0, FAMILIES_TRIED);
};

const variantsOf = (question: PlanQuestion): readonly Variant[] => {
  const { nodePools } = question.snapshot;
  const capacity = [capacityTypes.spot, capacityTypes.onDemand].map((value) => ({
    name: value,
    nodePools: requiring(nodePools, labels.capacityType, value),
  }));
  const architectures = valuesOf(nodePools, labels.arch).map((value) => ({
    name: value,
    nodePools: requiring(nodePools, labels.arch, value),
  }));
  const pools =
    nodePools.length < 2 ? [] : nodePools.map((view) => ({ name: `only NodePool ${view.nodePool.metadata.name}`, nodePools: [view] }));
  return [...capacity, ...(architectures.length < 2 ? [] : architectures), ...familyVariants(question), ...pools];
};

const byPrice = (a: Alternative, b: Alternative): number =>
  a.unplacedPods - b.unplacedPods || a.pricePerHour - b.pricePerHour || (a.name < b.name ? -1 : 1);

/** What says nothing new: the pools allow only this anyway, or the plan has chosen it. */
const isSame = ({ nodes, pricePerHour, unplacedPods }: Alternative, plan: PlanSummary): boolean =>
  Math.abs(pricePerHour - plan.pricePerHour) < 0.0005 &&
  unplacedPods === plan.unplaced.length &&
  nodes === plan.nodes.reduce((sum, { count }) => sum + count, 0);

/**
 * Which nodes the pods need, at which price, and what they would cost on others; in steps, so that a live controller
 * does other things in between.
 */
export function* answeringPlan(question: PlanQuestion): Steps<PlanAnswer> {
  const { pods, policy } = question;
  const snapshot = { ...question.snapshot, pendingPods: pods };
  const planOn = (nodePools: readonly NodePoolView[]) => planning({ ...snapshot, nodePools }, policy, () => false);
  const plan = planSummary(yield* planOn(snapshot.nodePools), snapshot, policy);
  const alternatives: Alternative[] = [];
  for (const { name, nodePools } of variantsOf(question)) {
    const { plannedNodes, pricePerHour, rejections } = withoutBuffers(yield* planOn(nodePools), snapshot);
    alternatives.push({ name, nodes: plannedNodes.length, pricePerHour, unplacedPods: rejections.length });
  }
  return {
    pods: pods.length,
    plan,
    leastPricePerHour: leastPrice(snapshot.nodePools, question),
    alternatives: alternatives.filter((each) => each.unplacedPods < pods.length && !isSame(each, plan)).sort(byPrice),
  };
}

/** The answer of `answeringPlan`, without a pause. */
export const planAnswer = (question: PlanQuestion): PlanAnswer => finish(answeringPlan(question));
