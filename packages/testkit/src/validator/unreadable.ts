import type { Pod } from '@karpenter/core';
import type { LabelSelector, NodeSelectorTerm, PodAffinity, PodAffinityTerm, PodSpec } from '@karpenter/core/internal';
import { reservedAmounts } from './amounts.ts';
import { isOperator } from './node-labels.ts';

type Expressions = readonly { readonly operator: string }[] | undefined;

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

const expressionsOf = (selector: LabelSelector | NodeSelectorTerm | undefined): Expressions => selector?.matchExpressions;

const termsOf = (side: PodAffinity | undefined): readonly PodAffinityTerm[] => [
  ...(side?.[REQUIRED] ?? []),
  ...(side?.[PREFERRED] ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
];

/** Every list of expressions that a pod is judged by. */
const selectorsOf = ({ affinity = {}, topologySpreadConstraints = [] }: PodSpec): readonly Expressions[] => [
  ...(affinity.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms ?? []).map(expressionsOf),
  ...[...termsOf(affinity.podAffinity), ...termsOf(affinity.podAntiAffinity)].flatMap(({ labelSelector, namespaceSelector }) => [
    expressionsOf(labelSelector),
    expressionsOf(namespaceSelector),
  ]),
  ...topologySpreadConstraints.map(({ labelSelector }) => expressionsOf(labelSelector)),
];

/**
 * What keeps the validator from judging the pod; undefined when it can. The validator does
 * not check what else an API server would refuse.
 */
export const unreadableReason = ({ spec }: Pod): string | undefined => {
  if (!Array.isArray(spec.containers)) return 'has no list of containers';
  const amount = [...reservedAmounts({ spec })].find(([, wanted]) => !(wanted >= 0));
  if (amount !== undefined) return `asks for an amount of ${amount[0]} that is none`;
  const operator = selectorsOf(spec)
    .flatMap((expressions = []) => expressions.map((each) => each.operator))
    .find((each) => !isOperator(each));
  return operator === undefined ? undefined : `names an operator that is none, ${operator}`;
};
