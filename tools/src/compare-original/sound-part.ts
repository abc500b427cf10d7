import type { Plan, Pod } from '@karpenter/core';
import { validatePlan } from '@karpenter/testkit';
import { type OriginalQuestion, qualifiedPodName } from './question.ts';

/** The pods that a plan has a place for. */
export const placedPodsOf = ({ plannedNodes, placements }: Plan): readonly Pod[] =>
  [...plannedNodes.map(({ pods }) => pods), ...placements.values()].flat();

/** The plan without what the subjects name: pods by name, with or without their namespace, and whole nodes. */
const without = (plan: Plan, subjects: ReadonlySet<string>): Plan => {
  const stays = (pod: Pod): boolean => !subjects.has(qualifiedPodName(pod)) && !subjects.has(pod.metadata.name);
  const plannedNodes = plan.plannedNodes
    .filter((_, index) => !subjects.has(`planned node ${index}`))
    .map((node) => ({ ...node, pods: node.pods.filter(stays) }))
    .filter(({ pods }) => pods.length > 0);
  const placements = new Map(
    [...plan.placements].filter(([node]) => !subjects.has(node)).map(([node, pods]) => [node, pods.filter(stays)] as const),
  );
  const left = { ...plan, plannedNodes, placements };
  const placed = new Set(placedPodsOf(left));
  return {
    ...left,
    rejections: [
      ...plan.rejections,
      ...[...new Set(placedPodsOf(plan))].filter((pod) => !placed.has(pod)).map((pod) => ({ pod, reason: { kind: 'stopped' as const } })),
    ],
    pricePerHour: plannedNodes.reduce((sum, { cheapest }) => sum + cheapest.offering.pricePerHour, 0),
  };
};

/** How much could be taken away. */
const sizeOf = (plan: Plan): number => placedPodsOf(plan).length + plan.plannedNodes.length;

/**
 * The plan without the pods and nodes that break rules, and then without those that break rules because of that, until
 * none is left. Undefined where a rule is broken by the plan as a whole: its violation names nothing to take away.
 */
export const soundPart = ({ snapshot, policy }: OriginalQuestion, plan: Plan): Plan | undefined => {
  for (let part = plan; ;) {
    const subjects = new Set(validatePlan(snapshot, policy, part).map(({ subject }) => subject));
    if (subjects.size === 0) return part;
    const less = without(part, subjects);
    if (sizeOf(less) === sizeOf(part)) return undefined;
    part = less;
  }
};
