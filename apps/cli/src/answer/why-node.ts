import { type ClusterSnapshot, labels, proposeCommand, type SchedulingPolicy, simulate } from '@karpenter/core';
import { type Blocker, blockerText, isReschedulable, type NodeView } from '@karpenter/core/internal';
import { blockerLabel, commandLabel } from './blocker-label.ts';
import { priceOfNode } from './node-rows.ts';
import { withoutNodes } from './without-nodes.ts';
import { podNameOf, type PlanSummary, planSummary } from './plan-summary.ts';

/** Why a node stays, and what would become of its pods without it. */
export interface NodeAnswer {
  readonly node: string;
  readonly nodePool?: string;
  readonly instanceType: string;
  readonly pricePerHour?: number;
  /** Pods that would need another place. */
  readonly pods: readonly string[];
  /** The reason in a few words, and as a sentence. */
  readonly heldBy: string;
  readonly why: string;
  /** Where its pods would go; absent where the node is not Karpenter's. */
  readonly without?: PlanSummary;
  /** What would be saved without it; below zero: dearer. Absent where the price is not known. */
  readonly savingsPerHour?: number;
}

/** What a why needs beside the cluster. */
export interface WhyContext {
  readonly policy: SchedulingPolicy;
  readonly nowMs: number;
}

const sentenceOf = (blocker: Blocker): string => {
  const known = blockerText(blocker)?.message;
  if (known !== undefined) return known;
  if (blocker.kind === 'after-command') return `Another node goes first (${blocker.method}); this one is evaluated after it`;
  if (blocker.kind === 'consolidate-after') return `Its pods have changed less than ${blocker.consolidateAfter} ago`;
  return `It is ${blockerLabel(blocker)}`;
};

const reasonOf = (node: NodeView, snapshot: ClusterSnapshot, { policy, nowMs }: WhyContext): Pick<NodeAnswer, 'heldBy' | 'why'> => {
  if (node.claim === undefined) return { heldBy: "not Karpenter's", why: 'No NodeClaim stands behind it: Karpenter leaves it alone' };
  const { command, blocked } = proposeCommand({ snapshot, policy, nowMs, shouldStop: () => false });
  const blocker = blocked.get(node.name);
  if (blocker !== undefined) return { heldBy: blockerLabel(blocker), why: sentenceOf(blocker) };
  if (command === undefined) return { heldBy: '', why: 'Nothing holds it' };
  const others = command.candidates.length - 1;
  const together = others === 0 ? '' : ` together with ${others} ${others === 1 ? 'other' : 'others'}`;
  return {
    heldBy: commandLabel(command),
    why: `It does not stay: Karpenter is about to disrupt it${together} (${command.reason.toLowerCase()})`,
  };
};

/** The plan for the pods of the node alone, as if it were gone. */
const withoutNode = (node: NodeView, snapshot: ClusterSnapshot, { policy, nowMs }: WhyContext): PlanSummary =>
  planSummary(simulate(withoutNodes(snapshot, new Set([node.name])), { ...policy, nowMs }), snapshot, policy);

export const whyNode = (node: NodeView, snapshot: ClusterSnapshot, context: WhyContext): NodeAnswer => {
  const pricePerHour = priceOfNode(snapshot, node);
  const without = node.claim === undefined ? undefined : withoutNode(node, snapshot, context);
  return {
    node: node.name,
    ...(node.nodePoolName === undefined ? {} : { nodePool: node.nodePoolName }),
    instanceType: node.labels[labels.instanceType] ?? '',
    ...(pricePerHour === undefined ? {} : { pricePerHour }),
    pods: node.pods.filter(isReschedulable).map(podNameOf).sort(),
    ...reasonOf(node, snapshot, context),
    ...(without === undefined ? {} : { without }),
    ...(without === undefined || pricePerHour === undefined ? {} : { savingsPerHour: pricePerHour - without.pricePerHour }),
  };
};
