import type { Steps } from '../../base/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { resourcesOf } from '../../kube/index.ts';
import type { PlannedNode } from '../../scheduling/index.ts';
import { planningStaticNode } from '../../scheduling/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import { budgetLedger } from '../budgets/budget-ledger.ts';
import { plannedPrice } from '../candidates/node-price.ts';
import { totalPrice } from '../consolidation/cheaper-replacement.ts';
import type { Command } from '../command.ts';
import type { DisruptionContext } from '../disruption-context.ts';
import { backoffBlocker, driftBlocker, isDrifted, isStatic } from '../blockers/method-blocker.ts';
import type { Pass } from '../pass/pass.ts';
import type { Surveyed } from '../pass/survey.ts';
import { byUrgency } from './drift.ts';

/**
 * Why a static pool replaces none of its nodes now. A node on its way out takes its place under the limit until it is
 * gone, and replacements that other commands have yet to create count as if they existed.
 */
const poolBlocker = ({ nodePool: { nodePool } }: Surveyed, { snapshot }: DisruptionContext): Blocker | undefined => {
  const { name: nodePoolName } = nodePool.metadata;
  const own = snapshot.nodes.filter((node) => node.claim !== undefined && node.nodePoolName === nodePoolName);
  const nodes = own.filter(({ isMarkedForDeletion }) => !isMarkedForDeletion).length;
  const { replicas = 0 } = nodePool.spec;
  if (nodes > replicas) return { kind: 'surplus', nodePoolName, nodes, replicas };
  const toCome = replicas - nodes;
  const limit = resourcesOf(nodePool.spec.limits)['nodes'] ?? Number.POSITIVE_INFINITY;
  return own.length + toCome < limit ? undefined : { kind: 'limit', nodePoolName, resource: 'nodes' };
};

/** The limit of the cluster that the replacement would break in place of the node. */
const clusterBlocker = (
  { node, nodePool }: Surveyed,
  { cheapest }: PlannedNode,
  { clusterLimits }: ClusterSnapshot,
): Blocker | undefined => {
  const { limits = {}, usage = {} } = clusterLimits ?? {};
  const { capacity } = cheapest.instanceType;
  const resource = Object.keys(limits).find((name) => {
    const growth = name === 'nodes' ? 0 : (capacity[name] ?? 0) - (node.capacity[name] ?? 0);
    return growth > 0 && (usage[name] ?? 0) + growth > (limits[name] ?? 0);
  });
  return resource === undefined ? undefined : { kind: 'limit', nodePoolName: nodePool.nodePool.metadata.name, resource };
};

/** The machine that replaces the node, or why there is none. */
function* planningReplacement(candidate: Surveyed, { snapshot, policy }: DisruptionContext): Steps<PlannedNode | Blocker> {
  const planned = yield* planningStaticNode(candidate.nodePool, snapshot, policy);
  if (planned === undefined) return { kind: 'nothing-offered', nodePoolName: candidate.nodePool.nodePool.metadata.name };
  return clusterBlocker(candidate, planned, snapshot) ?? planned;
}

/**
 * Replaces one drifted node of a static pool by a new one of the pool's template; placing its pods is left to
 * kube-scheduler. The next pass takes the next node while this one waits for its replacement: as many at once as the
 * budget and the limit on nodes allow.
 */
export function* proposingStaticDrift(pass: Pass): Steps<Command | undefined> {
  const { context } = pass;
  const ledger = budgetLedger(context, 'Drifted');
  const blockerOf = (candidate: Surveyed): Blocker | undefined =>
    driftBlocker(candidate) ??
    backoffBlocker(candidate, context) ??
    poolBlocker(candidate, context) ??
    ledger.blocker(candidate.nodePool.nodePool.metadata.name);
  const drifted = pass.candidates.filter((candidate) => isStatic(candidate) && isDrifted(candidate));
  for (const candidate of drifted.sort(byUrgency)) {
    const planned = blockerOf(candidate) ?? (yield* planningReplacement(candidate, context));
    if ('kind' in planned) {
      pass.note(candidate.node.name, planned);
      continue;
    }
    return {
      method: 'static-drift',
      reason: 'Drifted',
      decision: 'replace',
      candidates: [candidate],
      replacements: [planned],
      savingsPerHour: totalPrice([candidate]) - plannedPrice([planned], context.policy),
    };
  }
  return undefined;
}
