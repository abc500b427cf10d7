import { ageMs } from '../../../kube/index.ts';
import { patchNode, writeClaimStatus } from '../../../actions/index.ts';
import { labels, nodeClaimConditions } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import type { Node } from '../../../kube/index.ts';
import type { Shell } from '../../shell.ts';
import { initializationOf } from './initialization-of.ts';
import type { Initialization } from './initialization-of.ts';
import { tellPool } from './tell-pool.ts';

const { initialized } = nodeClaimConditions;

const judged = ({ state }: Shell, claim: NodeClaim, node: Node | undefined): Initialization =>
  initializationOf(claim, node, node && state.devices?.driversOn(node.metadata.name));

/** Marks a registered node as initialized once pods can run there; until then records what is missing. */
export const initialize = async (shell: Shell, claim: NodeClaim, signal: AbortSignal): Promise<void> => {
  const at = { signal, nowMs: shell.clock.now() };
  const node = shell.state.nodesWith(claim.status?.providerID ?? '')[0];
  const initialization = judged(shell, claim, node);
  if (initialization.kind === 'waiting' || node === undefined) {
    const { reason, message } = initialization.kind === 'waiting' ? initialization : { reason: 'NodeNotFound', message: '' };
    await writeClaimStatus(shell, { claim, conditions: [{ type: initialized, status: 'Unknown', reason, message }] }, at);
    // kube-scheduler ends a nomination when it tries the pod while the node is still closed.
    if (node !== undefined) await shell.podNominations?.announce(node.metadata.name, signal);
    return;
  }
  const body = { metadata: { labels: { [labels.initialized]: 'true' } } };
  if ((await patchNode(shell, { node, body }, { signal })) === 'gone') return;
  await writeClaimStatus(shell, { claim, conditions: [{ type: initialized, status: 'True' }] }, at);
  shell.reporter.report({ kind: 'initialized', claim, nodeName: node.metadata.name, tookMs: ageMs(claim.metadata, at.nowMs) });
  await tellPool(shell, { claim, outcome: { kind: 'reached', step: 'initialized' } }, signal);
};
