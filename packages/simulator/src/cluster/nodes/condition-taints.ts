import type { Taint } from '@karpenter/core';
import { isSameTaint } from '@karpenter/core/internal';
import { conditionIn } from '../objects/conditions.ts';
import { type NodeObject, nodeTaints } from '../objects/node.ts';

const MANAGED: ReadonlySet<string> = new Set([nodeTaints.notReady, nodeTaints.unreachable, nodeTaints.unschedulable]);

const wanted = (node: NodeObject): readonly Taint[] => {
  const ready = conditionIn(node.status?.conditions, 'Ready')?.status ?? 'False';
  const cordon: readonly Taint[] = node.spec?.unschedulable === true ? [{ key: nodeTaints.unschedulable, effect: 'NoSchedule' }] : [];
  if (ready === 'True') return cordon;
  const key = ready === 'Unknown' ? nodeTaints.unreachable : nodeTaints.notReady;
  return [...cordon, { key, effect: 'NoSchedule' }, { key, effect: 'NoExecute' }];
};

/**
 * The taints that a node's state asks for, beside those that others put there; undefined when it has them. Those that
 * stay keep their `timeAdded`. Source: kubernetes.io, "Taint Nodes by Condition", "Taint based Evictions".
 */
export const conditionTaints = (node: NodeObject, now: string): readonly Taint[] | undefined => {
  const before = node.spec?.taints ?? [];
  const target = wanted(node);
  const kept = before.filter((taint) => !MANAGED.has(taint.key) || target.some((one) => isSameTaint(one, taint)));
  const added = target.filter((taint) => !before.some((one) => isSameTaint(one, taint))).map((taint) => ({ ...taint, timeAdded: now }));
  return kept.length === before.length && added.length === 0 ? undefined : [...kept, ...added];
};
