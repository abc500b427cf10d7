import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller, Outcome } from '@karpenter/runtime';
import type { RepairPolicy } from '../../cloudprovider/index.ts';
import { epochMsOf } from '../../base/index.ts';
import { conditionOf } from '../../kube/index.ts';
import type { Node } from '../../kube/index.ts';
import { labels } from '../../apis/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import { isDeleting } from '../../state/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import type { Shell } from '../shell.ts';
import { deleteWithDeadline } from './termination-deadline.ts';

/** A condition by which a node counts as unhealthy, and when it becomes a reason to delete the node. */
interface UnhealthyCondition {
  readonly policy: RepairPolicy;
  readonly dueMs: number;
}

/** The policies by which the node is unhealthy. */
const policiesMet = ({ status }: Node, policies: readonly RepairPolicy[]): readonly RepairPolicy[] =>
  policies.filter(({ conditionType, conditionStatus }) => conditionOf(status?.conditions, conditionType)?.status === conditionStatus);

const idOf = ({ metadata: { uid, name } }: Node): string => uid ?? name;

/** When a condition began. */
interface Onset {
  readonly sinceMs: number;
  /** What the kubelet said then. */
  readonly stated: string | undefined;
}

/** A condition that has begun before this process saw the node is watched for so long, or for its toleration. */
const LEAST_WATCH_MS = 5 * 60_000;

/** When the kubelet says that it began; undefined where that cannot be: before the node was made, or later than now. */
const possibleMs = ({ metadata: { creationTimestamp } }: Node, stated: string | undefined, nowMs: number): number | undefined => {
  const statedMs = epochMsOf(stated) ?? Number.POSITIVE_INFINITY;
  return statedMs > nowMs || statedMs < (epochMsOf(creationTimestamp) ?? 0) ? undefined : statedMs;
};

/**
 * Since when nodes are unhealthy. A kubelet states it by its own clock, which may be hours off: what begins while this
 * process watches begins when it is seen.
 * Differs: the original believes `lastTransitionTime`.
 */
class UnhealthySince {
  /** Node → condition and status → when it began. Empty for a healthy node. */
  readonly #onsets = new Map<string, ReadonlyMap<string, Onset>>();

  /** The unhealthy condition whose toleration ends first; undefined for a healthy node. */
  firstOf(node: Node, policies: readonly RepairPolicy[], nowMs: number): UnhealthyCondition | undefined {
    const before = this.#onsets.get(idOf(node));
    const onsets = new Map<string, Onset>();
    // In whole seconds, as kubelets state it.
    const seenMs = Math.floor(nowMs / 1000) * 1000;
    const earliestMs = (tolerationMs: number): number => seenMs + (before === undefined ? Math.min(0, LEAST_WATCH_MS - tolerationMs) : 0);
    const found = policiesMet(node, policies).map((policy): UnhealthyCondition => {
      const { conditionType, conditionStatus, tolerationMs } = policy;
      const key = `${conditionType}=${conditionStatus}`;
      const known = before?.get(key);
      const stated = conditionOf(node.status?.conditions, conditionType)?.lastTransitionTime;
      const sinceMs = Math.max(known?.sinceMs ?? earliestMs(tolerationMs), possibleMs(node, stated, nowMs) ?? seenMs);
      const onset = known !== undefined && known.stated === stated ? known : { sinceMs, stated };
      onsets.set(key, onset);
      return { policy, dueMs: onset.sinceMs + tolerationMs };
    });
    this.#onsets.set(idOf(node), onsets);
    return found.toSorted((a, b) => a.dueMs - b.dueMs)[0];
  }

  forget(node: Node): void {
    this.#onsets.delete(idOf(node));
  }
}

/** One unhealthy node is tolerated for so many nodes, rounded up. */
const NODES_PER_TOLERATED = 5;

/**
 * Whether so many nodes are unhealthy that the cause probably lies elsewhere: more than a fifth, rounded up. Replacing
 * them would only make it worse. Source: the original's `pkg/controllers/node/health/controller.go`.
 */
export const areTooManyUnhealthy = (nodes: readonly Node[], policies: readonly RepairPolicy[]): boolean =>
  nodes.filter((node) => policiesMet(node, policies).length > 0).length > Math.ceil(nodes.length / NODES_PER_TOLERATED);

const BLOCKED_RETRY_MS = 5 * 60_000;
const LONGEST_WAIT_MS = 24 * 60 * 60_000;

interface UnhealthyNode {
  readonly node: Node;
  readonly claim: NodeClaim;
}

/** The nodes among which the unhealthy ones are counted: those of the same pool, or all where it has none. */
const peersOf = ({ caches }: Shell, { claim }: UnhealthyNode): readonly Node[] => {
  const nodePool = claim.metadata.labels?.[labels.nodePool];
  const nodes = caches.nodes.list();
  return nodePool === undefined ? nodes : nodes.filter(({ metadata }) => metadata.labels?.[labels.nodePool] === nodePool);
};

const repair = async (
  shell: Shell,
  { node, claim, unhealthy }: UnhealthyNode & { readonly unhealthy: UnhealthyCondition },
  signal: AbortSignal,
): Promise<Outcome> => {
  await deleteWithDeadline(shell, { claim, deadlineMs: shell.clock.now(), reason: 'unhealthy' }, signal);
  // A drain that was under way is cut short: nobody on a dead node can let go of its pods. It was counted when it began.
  if (!isDeleting(claim)) shell.reporter.report({ kind: 'node-unhealthy', node, claim, condition: unhealthy.policy.conditionType });
  return settled;
};

/**
 * Deletes nodes that have had a condition of the provider's `repairPolicies` for too long. Ignores budgets and
 * `do-not-disrupt`.
 */
export const health = (shell: Shell): Controller<Node> => {
  const since = new UnhealthySince();
  shell.caches.nodes.subscribe((change) => {
    if (change.type === 'deleted') since.forget(change.object);
  });
  return {
    name: 'node.health',
    kind: 'Node',
    concurrency: 10,
    async reconcile(node, { signal }) {
      const claim = shell.state.claimOf(node);
      if (claim === undefined || !isManaged(claim.spec.nodeClassRef, shell.provider)) return settled;
      const { repairPolicies } = shell.provider;
      const nowMs = shell.clock.now();
      const unhealthy = since.firstOf(node, repairPolicies, nowMs);
      if (unhealthy === undefined) return settled;
      const inMs = unhealthy.dueMs - nowMs;
      if (inMs > 0) return requeueAfter(Math.min(inMs, LONGEST_WAIT_MS));
      if (areTooManyUnhealthy(peersOf(shell, { node, claim }), repairPolicies)) {
        shell.reporter.report({ kind: 'repair-blocked', node, claim });
        return requeueAfter(BLOCKED_RETRY_MS);
      }
      return repair(shell, { node, claim, unhealthy }, signal);
    },
  };
};
