import { nodeClaimConditions } from '../../apis/index.ts';
import { compareText, epochMsOf } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import { conditionOf, resourcesOf } from '../../kube/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import { budgetLedger } from '../budgets/budget-ledger.ts';
import type { BudgetLedger } from '../budgets/budget-ledger.ts';
import { totalPrice } from '../consolidation/cheaper-replacement.ts';
import type { Command } from '../command.ts';
import type { DisruptionContext } from '../disruption-context.ts';
import { backoffBlocker, driftBlocker, isDrifted, isEmptyNode, isStatic } from '../blockers/method-blocker.ts';
import { withoutDeadline } from '../pass/pass.ts';
import type { Pass } from '../pass/pass.ts';
import { plannedPrice } from '../candidates/candidate.ts';
import { relocating } from '../pass/relocation.ts';
import { Round } from '../pass/stillness.ts';
import type { DisruptionCandidate } from '../pass/survey.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { planningStaticNode } from '../../scheduling/index.ts';
import type { PlannedNode } from '../../scheduling/index.ts';

const driftedSince = ({ node }: DisruptionCandidate): number =>
  epochMsOf(conditionOf(node.claim?.status?.conditions, nodeClaimConditions.drifted)?.lastTransitionTime) ?? 0;

/** Empty nodes first, then those that drifted longest ago; ties by name. */
const byUrgency = (a: DisruptionCandidate, b: DisruptionCandidate): number =>
  Number(isEmptyNode(b)) - Number(isEmptyNode(a)) || driftedSince(a) - driftedSince(b) || compareText(a.node.name, b.node.name);

function* replacing(pass: Pass, candidate: DisruptionCandidate): Steps<Command | undefined> {
  const relocation = yield* relocating(pass, [candidate], { avoidsSettling: false });
  if ('kind' in relocation) {
    const isUnplaced = relocation.kind === 'unschedulable-pods' || relocation.kind === 'costly-pods';
    pass.note(candidate.node.name, isUnplaced ? { ...relocation, isDrifted: true } : relocation);
    return undefined;
  }
  const { replacements, targets } = relocation;
  return {
    method: 'drift',
    reason: 'Drifted',
    decision: replacements.length === 0 ? 'delete' : 'replace',
    candidates: [candidate],
    replacements,
    targets,
    savingsPerHour: totalPrice([candidate]) - plannedPrice(replacements, pass.context.policy),
  };
}

const blockerOf = (candidate: DisruptionCandidate, ledger: BudgetLedger, context: DisruptionContext): Blocker | undefined =>
  driftBlocker(candidate) ?? backoffBlocker(candidate, context) ?? ledger.blocker(candidate.nodePool.nodePool.metadata.name);

/** What drift proposes, and which nodes it evaluated. */
export interface DriftAnswer {
  readonly command?: Command;
  /** Node names; none unless time ran out. */
  readonly evaluated: ReadonlySet<string>;
}

/**
 * Replaces one drifted node by as many machines as its pods need: the most urgent one that can go. If time runs out,
 * the next pass continues with the others; at least one is evaluated in each pass.
 */
export function* proposingDrift(pass: Pass): Steps<DriftAnswer> {
  const { shouldStop, driftEvaluated: before = new Set<string>() } = pass.context;
  const ledger = budgetLedger(pass.context, 'Drifted');
  const drifted = pass.candidates.filter((each) => isDrifted(each) && !isStatic(each));
  const round = new Round(drifted, before, (candidates) => [...candidates].sort(byUrgency));
  let isLate = false;
  for (const candidate of round.order) {
    isLate ||= shouldStop();
    const { name } = candidate.node;
    const blocker = blockerOf(candidate, ledger, pass.context);
    if (blocker !== undefined) pass.note(name, blocker);
    else if (isLate && round.asked > 0) pass.note(name, { kind: 'stopped' });
    else {
      round.add(candidate);
      const command = yield* replacing(round.asked === 1 ? withoutDeadline(pass) : pass, candidate);
      if (command !== undefined) return { command, evaluated: new Set() };
    }
  }
  return { evaluated: isLate ? round.evaluated : new Set() };
}

/**
 * Why a static pool replaces none of its nodes now. A leaving node counts under the limit until it is gone.
 * Replacements that other commands have yet to create count as if they existed.
 */
const poolBlocker = ({ nodePool: { nodePool } }: DisruptionCandidate, { snapshot }: DisruptionContext): Blocker | undefined => {
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
  { node, nodePool }: DisruptionCandidate,
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
function* planningReplacement(candidate: DisruptionCandidate, { snapshot, policy }: DisruptionContext): Steps<PlannedNode | Blocker> {
  const planned = yield* planningStaticNode(candidate.nodePool, snapshot, policy);
  if (planned === undefined) return { kind: 'nothing-offered', nodePoolName: candidate.nodePool.nodePool.metadata.name };
  return clusterBlocker(candidate, planned, snapshot) ?? planned;
}

/**
 * Replaces one drifted node of a static pool by a new one of the pool's template; placing its pods is left to
 * kube-scheduler. The next pass takes the next node while this one waits for its replacement. As many at once as the
 * budget and the limit on nodes allow.
 */
export function* proposingStaticDrift(pass: Pass): Steps<Command | undefined> {
  const { context } = pass;
  const ledger = budgetLedger(context, 'Drifted');
  const blockerOf = (candidate: DisruptionCandidate): Blocker | undefined =>
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
