import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller, Outcome } from '@karpenter/runtime';
import { labels } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import type { Node } from '../../../kube/index.ts';
import { isDeleting } from '../../../state/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';
import { giveUpBy } from '../give-up-by.ts';
import { ailmentOf, areTooManyIll } from './ailment-of.ts';
import type { Ailment } from './ailment-of.ts';

const BLOCKED_RETRY_MS = 5 * 60_000;
const LONGEST_WAIT_MS = 24 * 60 * 60_000;

interface Patient {
  readonly node: Node;
  readonly claim: NodeClaim;
}

/** The nodes that the patient is counted among: those of its pool, or all where it has none. */
const wardOf = ({ caches }: Shell, { claim }: Patient): readonly Node[] => {
  const nodePool = claim.metadata.labels?.[labels.nodePool];
  const nodes = caches.nodes.list();
  return nodePool === undefined ? nodes : nodes.filter(({ metadata }) => metadata.labels?.[labels.nodePool] === nodePool);
};

const repair = async (
  shell: Shell,
  { node, claim, ailment }: Patient & { readonly ailment: Ailment },
  signal: AbortSignal,
): Promise<Outcome> => {
  await giveUpBy(shell, { claim, deadlineMs: shell.clock.now(), reason: 'unhealthy' }, signal);
  shell.reporter.report({ kind: 'node-given-up-as-ill', node, claim, condition: ailment.policy.conditionType });
  return settled;
};

/** Gives up nodes that suffer from what the provider says a node does not recover from. Budgets and `do-not-disrupt` do not count. */
export const health = (shell: Shell): Controller<Node> => ({
  name: 'node.health',
  kind: 'Node',
  concurrency: 10,
  async reconcile(node, { signal }) {
    const claim = shell.state.claimOf(node);
    if (claim === undefined || isDeleting(claim) || !isManaged(claim.spec.nodeClassRef, shell.provider)) return settled;
    const { repairPolicies } = shell.provider;
    const ailment = ailmentOf(node, repairPolicies);
    if (ailment === undefined) return settled;
    const inMs = ailment.dueMs - shell.clock.now();
    if (inMs > 0) return requeueAfter(Math.min(inMs, LONGEST_WAIT_MS));
    if (areTooManyIll(wardOf(shell, { node, claim }), repairPolicies)) {
      shell.reporter.report({ kind: 'repair-blocked', node, claim });
      return requeueAfter(BLOCKED_RETRY_MS);
    }
    return repair(shell, { node, claim, ailment }, signal);
  },
});
