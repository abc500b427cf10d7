import { disruptionOf, nodeClaimConditions } from '../../apis/index.ts';
import type { DisruptionReason } from '../../apis/index.ts';
import { isConditionTrue } from '../../kube/index.ts';
import type { DisruptionContext } from '../disruption-context.ts';
import type { Blocker } from './blocker.ts';
import type { DisruptionCandidate } from '../pass/survey.ts';

/** The pool keeps a fixed number of nodes, so that only drift takes any of them. */
export const isStatic = ({ nodePool }: DisruptionCandidate): boolean => nodePool.nodePool.spec.replicas !== undefined;

const staticBlocker = (candidate: DisruptionCandidate): Blocker | undefined => (isStatic(candidate) ? { kind: 'static' } : undefined);

const waitBlocker = ({ nodePool, isSettled }: DisruptionCandidate): Blocker | undefined => {
  const { consolidateAfter } = disruptionOf(nodePool.nodePool);
  return isSettled ? undefined : { kind: 'consolidate-after', consolidateAfter };
};

/** No pod needs a new place when the node goes. Differs: the original also calls pods empty that cost nothing to evict. */
export const isEmptyNode = ({ reschedulablePods }: DisruptionCandidate): boolean => reschedulablePods.length === 0;

export const isDrifted = ({ node }: DisruptionCandidate): boolean =>
  isConditionTrue(node.claim?.status?.conditions, nodeClaimConditions.drifted);

/** Why an empty node is not deleted, under every policy. */
export const emptinessBlocker = (candidate: DisruptionCandidate): Blocker | undefined =>
  staticBlocker(candidate) ?? candidate.podBlocker ?? waitBlocker(candidate);

/** Why a node without pods on which buffers have room is not deleted as empty, where its pool deletes nothing else. */
export const bufferBlocker = (
  { reschedulablePods, nodePool }: DisruptionCandidate,
  buffers: readonly string[] | undefined,
): Blocker | undefined => {
  const isKept = buffers !== undefined && reschedulablePods.length === 0;
  return isKept && disruptionOf(nodePool.nodePool).consolidationPolicy === 'WhenEmpty' ? { kind: 'capacity-buffer', buffers } : undefined;
};

/** Why a node with pods is not consolidated. */
export const consolidationBlocker = (candidate: DisruptionCandidate): Blocker | undefined => {
  const { nodePool, podBlocker, isPriceKnown } = candidate;
  const policy = disruptionOf(nodePool.nodePool).consolidationPolicy;
  const first = staticBlocker(candidate) ?? podBlocker;
  if (first !== undefined) return first;
  if (policy === 'WhenEmpty') return { kind: 'policy', policy };
  if (!isPriceKnown) return { kind: 'unknown-price' };
  return waitBlocker(candidate);
};

/** Why the node stays where neither its pods nor their absence keep it: pods of a command are on their way to it. */
export const targetBlocker = ({ node }: DisruptionCandidate, { targets }: DisruptionContext): Blocker | undefined =>
  targets?.has(node.name) === true ? { kind: 'target' } : undefined;

/** Why a drifted node is not replaced. Its pods cannot block it where `terminationGracePeriod` ends every drain anyway. */
export const driftBlocker = ({ node, podBlocker }: DisruptionCandidate): Blocker | undefined =>
  node.claim?.spec.terminationGracePeriod === undefined ? podBlocker : undefined;

/** Why the replacement of a node is not started yet: the last ones failed. */
export const backoffBlocker = ({ node }: DisruptionCandidate, { failedReplacements, nowMs }: DisruptionContext): Blocker | undefined => {
  const failed = failedReplacements?.get(node.name);
  return failed === undefined || failed.untilMs <= nowMs ? undefined : { kind: 'replacement-failed', ...failed };
};

/** Why replacements fail that nobody takes. */
const REFUSALS: ReadonlySet<string> = new Set(['refused', 'denied']);

/** Why a node is not consolidated yet: the API server or its admission refused the last replacements. */
export const refusalBlocker = (candidate: DisruptionCandidate, context: DisruptionContext): Blocker | undefined => {
  const isRefused = REFUSALS.has(context.failedReplacements?.get(candidate.node.name)?.why ?? '');
  return isRefused ? backoffBlocker(candidate, context) : undefined;
};

type Eligibility = (candidate: DisruptionCandidate) => boolean;

/** In the order in which methods run. */
const eligibilities: readonly (readonly [DisruptionReason, Eligibility])[] = [
  ['Empty', (each) => isEmptyNode(each) && emptinessBlocker(each) === undefined],
  ['Drifted', (each) => isDrifted(each) && driftBlocker(each) === undefined],
  ['Underutilized', (each) => !isEmptyNode(each) && consolidationBlocker(each) === undefined],
];

/** Reason → how many of the candidates its methods may take, budgets aside. Has every reason. */
export const eligibleNodes = (candidates: readonly DisruptionCandidate[]): ReadonlyMap<DisruptionReason, number> =>
  new Map(eligibilities.map(([reason, isEligible]) => [reason, candidates.filter(isEligible).length]));
