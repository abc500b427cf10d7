import { disruptedTaint } from '../apis/index.ts';
import type { Node, Taint } from '../kube/index.ts';
import { isSameTaint } from '../state/index.ts';
import { patchNode } from './write-through.ts';
import type { Acting } from './write-through.ts';

const taintsOf = (node: Node): readonly Taint[] => node.spec?.taints ?? [];

export const hasDisruptedTaint = (node: Node): boolean => taintsOf(node).some((taint) => isSameTaint(taint, disruptedTaint));

/** Keeps new pods off a node that will be deleted. Does nothing where the taint is there. */
export const taintDisrupted = async (acting: Acting, node: Node, signal: AbortSignal): Promise<void> => {
  if (hasDisruptedTaint(node)) return;
  await patchNode(acting, { node, body: { spec: { taints: [...taintsOf(node), disruptedTaint] } } }, { signal });
};

/** Opens a node for pods again. Does nothing where the taint is not there. */
export const untaintDisrupted = async (acting: Acting, node: Node, signal: AbortSignal): Promise<void> => {
  if (!hasDisruptedTaint(node)) return;
  const taints = taintsOf(node).filter((taint) => !isSameTaint(taint, disruptedTaint));
  await patchNode(acting, { node, body: { spec: { taints } } }, { signal });
};
