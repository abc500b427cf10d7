import { disruptedTaint, nodeClaimConditions } from '../../apis/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { conditionOf } from '../../kube/index.ts';
import { isSameTaint, machineKeyOf } from '../../state/index.ts';
import type { MachineKey } from '../../state/index.ts';

/** Machines on their way out: marked for deletion, or candidates of a command. */
export const departing = (nodes: readonly NodeView[], commanded: ReadonlySet<MachineKey>): ReadonlySet<MachineKey> =>
  new Set([...commanded, ...nodes.filter(({ isMarkedForDeletion }) => isMarkedForDeletion).map(machineKeyOf)]);

/** Whether one of `awaited` is gone, so that its share of the budget is free again. */
export const hasDeparted = (awaited: ReadonlySet<MachineKey>, nodes: readonly NodeView[]): boolean => {
  if (awaited.size === 0) return false;
  const present = new Set(nodes.map(machineKeyOf));
  return [...awaited].some((machine) => !present.has(machine));
};

/** Nodes that were closed for a command that is no longer in progress: a process crashed, or a write failed half-way. */
export const leftClosed = (nodes: readonly NodeView[], running: ReadonlySet<MachineKey>): readonly NodeView[] =>
  nodes.filter(
    (node) =>
      node.claim !== undefined &&
      !node.isMarkedForDeletion &&
      !running.has(machineKeyOf(node)) &&
      (node.taints.some((taint) => isSameTaint(taint, disruptedTaint)) ||
        conditionOf(node.claim.status?.conditions, nodeClaimConditions.disruptionReason) !== undefined),
  );
