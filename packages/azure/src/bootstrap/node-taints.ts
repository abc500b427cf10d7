import { type NodeClaim, type Taint, unregisteredTaint } from '@karpenter/core';

const isSame = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect;

/**
 * What the kubelet registers with: the claim's taints, its startup taints, and the one that keeps pods away until core
 * knows the node.
 */
export const nodeTaintsOf = ({
  taints = [],
  startupTaints = [],
}: Pick<NodeClaim['spec'], 'taints' | 'startupTaints'>): readonly Taint[] => {
  const all = [...taints, ...startupTaints];
  return all.some((taint) => isSame(taint, unregisteredTaint)) ? all : [...all, unregisteredTaint];
};

/** As kubelet and AKS write a taint: `key=value:Effect`. */
export const taintText = ({ key, value, effect }: Taint): string => `${key}${value === undefined ? '' : `=${value}`}:${effect}`;

/** The taints that a node starts with and loses, among them the one that keeps pods away until core knows it. */
export const initializationTaintsOf = ({
  taints = [],
  startupTaints = [],
}: Pick<NodeClaim['spec'], 'taints' | 'startupTaints'>): readonly Taint[] => nodeTaintsOf({ taints, startupTaints }).slice(taints.length);
