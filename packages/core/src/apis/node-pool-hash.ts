import { durationOrNeverMs, structuralHash } from '../base/index.ts';
import { annotations } from './names.ts';
import { withDefaults } from './node-pool.ts';
import type { NodePool } from './node-pool.ts';

/**
 * Names the rule of `nodePoolHash`. The original's hashes carry `v3` and its kin: a claim with another version is not
 * compared, so the nodes of a cluster that is taken over stay, and the hash controller rewrites their annotations.
 */
const NODE_POOL_HASH_VERSION = 'karpenter-ts-v1';

const meaningOf = (duration: string | undefined): number | string | undefined => {
  if (duration === undefined) return undefined;
  const ms = durationOrNeverMs(duration);
  // JSON knows no Infinity.
  return ms === undefined || ms === Number.POSITIVE_INFINITY ? duration : ms;
};

/**
 * The hash of what nodes of the pool are made with: labels, annotations, taints, startup taints, node class, expiry and
 * grace period. Nodes whose annotation says otherwise have drifted. Requirements are not in it (they are compared with
 * the node's labels), nor are limits, weight and disruption. Durations count by their length: `720h` is `43200m`.
 */
export const nodePoolHash = (nodePool: NodePool): string => {
  const { metadata, spec } = withDefaults(nodePool).spec.template;
  return structuralHash({
    labels: metadata?.labels,
    annotations: metadata?.annotations,
    taints: spec.taints,
    startupTaints: spec.startupTaints,
    nodeClassRef: spec.nodeClassRef,
    expireAfter: meaningOf(spec.expireAfter),
    terminationGracePeriod: meaningOf(spec.terminationGracePeriod),
  });
};

/**
 * What a pool, and each claim made from it, says about the template's content: the two differ once the template was edited.
 */
export const hashAnnotations = (pool: NodePool): Readonly<Record<string, string>> => ({
  [annotations.nodePoolHash]: nodePoolHash(pool),
  [annotations.nodePoolHashVersion]: NODE_POOL_HASH_VERSION,
});
