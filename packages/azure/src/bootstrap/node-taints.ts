import { type NodeClaim, type Taint, unregisteredTaint } from '@karpenter/core';

/**
 * What the kubelet registers with: the claim's taints, its startup taints, and the one that keeps pods away until core
 * knows the node.
 */
export const nodeTaintsOf = ({
  taints = [],
  startupTaints = [],
}: Pick<NodeClaim['spec'], 'taints' | 'startupTaints'>): readonly Taint[] => {
  const all = [...taints, ...startupTaints];
  const hasIt = all.some(({ key, effect }) => key === unregisteredTaint.key && effect === unregisteredTaint.effect);
  return hasIt ? all : [...all, unregisteredTaint];
};

/** As kubelet and AKS write a taint: `key=value:Effect`. */
export const taintText = ({ key, value, effect }: Taint): string => `${key}${value === undefined ? '' : `=${value}`}:${effect}`;

/** The taints that a node starts with and loses, among them the one that keeps pods away until core knows it. */
export const initializationTaintsOf = ({
  taints = [],
  startupTaints = [],
}: Pick<NodeClaim['spec'], 'taints' | 'startupTaints'>): readonly Taint[] => nodeTaintsOf({ taints, startupTaints }).slice(taints.length);
