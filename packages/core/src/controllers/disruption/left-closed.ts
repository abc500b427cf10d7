import { disruptedTaint, nodeClaimConditions } from '../../apis/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { conditionOf } from '../../kube/index.ts';
import { isSameTaint, machineKeyOf } from '../../state/index.ts';
import type { MachineKey } from '../../state/index.ts';

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
