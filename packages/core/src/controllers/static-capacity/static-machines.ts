import { watchOf } from '@karpenter/runtime';
import type { Watch } from '@karpenter/runtime';
import { labels, nodeClaimConditions } from '../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../apis/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { isConditionTrue, resourcesOf } from '../../kube/index.ts';
import type { Shell } from '../shell.ts';

/** The machines of a static pool by what is to become of them. */
export interface StaticMachines {
  readonly active: readonly NodeView[];
  /** A command replaces them; their replacements come, or are there already. */
  readonly beingReplaced: readonly NodeView[];
  readonly leaving: readonly NodeView[];
}

const isLeaving = ({ claim }: NodeView): boolean =>
  claim?.metadata.deletionTimestamp !== undefined || isConditionTrue(claim?.status?.conditions, nodeClaimConditions.instanceTerminating);

const isBeingReplaced = ({ claim, isMarkedForDeletion }: NodeView): boolean =>
  isMarkedForDeletion || isConditionTrue(claim?.status?.conditions, nodeClaimConditions.disruptionReason);

/** The pool's machines, sorted by what becomes of them. */
export const staticMachines = (nodePoolName: string, views: readonly NodeView[]): StaticMachines => {
  const own = views.filter((view) => view.claim !== undefined && view.nodePoolName === nodePoolName);
  const staying = own.filter((view) => !isLeaving(view));
  return {
    active: staying.filter((view) => !isBeingReplaced(view)),
    beingReplaced: staying.filter(isBeingReplaced),
    leaving: own.filter(isLeaving),
  };
};

/** How many machines the pool lacks, and how many of those its limit on nodes allows now. */
export interface Lack {
  readonly wanted: number;
  readonly allowed: number;
}

/**
 * What a static pool lacks of its replicas. A machine that is being replaced counts until it leaves; the limit counts
 * every machine. Differs: the original asks for a second machine in place of one that is being replaced.
 */
export const lackOf = ({ spec }: NodePool, { active, beingReplaced, leaving }: StaticMachines): Lack => {
  const wanted = Math.max(0, (spec.replicas ?? 0) - active.length - beingReplaced.length);
  const limit = resourcesOf(spec.limits)['nodes'] ?? Number.POSITIVE_INFINITY;
  const room = Math.max(0, limit - active.length - beingReplaced.length - leaving.length);
  return { wanted, allowed: Math.min(wanted, room) };
};

/** Whether the pool keeps a fixed number of nodes, and is ours to see to. */
export const isManagedStaticPool = ({ metadata, spec }: NodePool, { provider }: Pick<Shell, 'provider'>): boolean =>
  spec.replicas !== undefined && metadata.deletionTimestamp === undefined && isManaged(spec.template.spec.nodeClassRef, provider);

/** A claim that comes or goes concerns its pool. */
export const poolsOfClaims: Watch = watchOf<NodeClaim>('NodeClaim', ({ object: { metadata } }) => {
  const name = metadata.labels?.[labels.nodePool];
  return name === undefined ? [] : [{ name }];
});
