import { disruptionOf, nodeClaimConditions } from '../../apis/index.ts';
import { durationMs } from '../../base/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { isConditionTrue } from '../../kube/index.ts';

/**
 * Names of nodes whose pods came or went less than `consolidateAfter` ago: consolidation moves no further pods there, because that would keep postponing
 * the nodes' own consolidation.
 */
export const settlingNodes = ({ nodePools, nodes }: ClusterSnapshot): ReadonlySet<string> => {
  const waiting = new Set(
    nodePools.flatMap(({ nodePool }) => {
      const isStatic = nodePool.spec.replicas !== undefined;
      const waits = (durationMs(disruptionOf(nodePool).consolidateAfter) ?? 0) > 0;
      return waits && !isStatic ? [nodePool.metadata.name] : [];
    }),
  );
  const settling = nodes.filter(
    ({ claim, nodePoolName = '' }) =>
      claim !== undefined && waiting.has(nodePoolName) && !isConditionTrue(claim.status?.conditions, nodeClaimConditions.consolidatable),
  );
  return new Set(settling.map(({ name }) => name));
};
