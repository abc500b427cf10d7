import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import type { NodeClaim } from '../../apis/index.ts';
import { resourcesOf } from '../../kube/index.ts';
import type { Node, ResourceList } from '../../kube/index.ts';
import { writeClaimStatus } from '../../actions/index.ts';
import type { ConditionChange } from '../../actions/index.ts';
import { nodeClaimConditions } from '../../apis/index.ts';
import { isDeleting, isInitialized } from '../../state/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import type { Shell } from '../shell.ts';

/** Of what the cloud promised a node must have so much. */
const LEAST_SHARE = 0.9;

/**
 * The requested resources that a node has far less of than its claim's capacity states, as a message; undefined when
 * there are none. Source: the original's `pkg/controllers/nodeclaim/consistency/nodeshape.go`.
 */
const inconsistencyOf = ({ spec, status }: NodeClaim, node: Node): string | undefined => {
  const promised = resourcesOf(status?.capacity);
  const has = resourcesOf(node.status?.capacity);
  const wanted = Object.entries(resourcesOf(spec.resources?.requests)).filter(([, amount]) => amount > 0);
  const short = wanted.filter(([name]) => (has[name] ?? 0) < LEAST_SHARE * (promised[name] ?? 0)).map(([name]) => name);
  if (short.length === 0) return undefined;
  const text = (amounts: ResourceList | undefined, name: string): string => String(amounts?.[name] ?? '0');
  return short
    .sort()
    .map((name) => `expected ${text(status?.capacity, name)} of resource ${name}, but found ${text(node.status?.capacity, name)}`)
    .join('; ');
};

const PERIOD_MS = 10 * 60_000;
const type = nodeClaimConditions.consistentStateFound;

/** Keeps `ConsistentStateFound`: whether a node that runs has about what the cloud said it would have. */
export const consistency = (shell: Shell): Controller<NodeClaim> => ({
  name: 'nodeclaim.consistency',
  kind: 'NodeClaim',
  concurrency: 10,
  async reconcile(claim, { signal }) {
    if (isDeleting(claim) || !isInitialized(claim) || !isManaged(claim.spec.nodeClassRef, shell.provider)) return settled;
    const [node] = shell.state.nodesOf(claim);
    if (node === undefined) return settled;
    const message = inconsistencyOf(claim, node);
    if (message !== undefined) shell.reporter.report({ kind: 'claim-inconsistent', claim, message });
    const change: ConditionChange =
      message === undefined ? { type, status: 'True' } : { type, status: 'False', reason: 'ConsistencyCheckFailed', message };
    await writeClaimStatus(shell, { claim, conditions: [change] }, { signal, nowMs: shell.clock.now() });
    return requeueAfter(PERIOD_MS);
  },
});
