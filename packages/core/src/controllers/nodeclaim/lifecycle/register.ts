import { patchNode, writeClaimStatus } from '../../../actions/index.ts';
import type { ConditionChange } from '../../../actions/index.ts';
import { nodeClaimConditions } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import type { Node } from '../../../kube/index.ts';
import { ageMs } from '../../age.ts';
import type { Shell } from '../../shell.ts';
import { isTaintMissing, registeredNode } from './registered-node.ts';

const { registered } = nodeClaimConditions;

const notYet = (nodes: readonly Node[]): ConditionChange =>
  nodes.length === 0
    ? { type: registered, status: 'Unknown', reason: 'NodeNotFound', message: 'Node not registered with cluster' }
    : {
        type: registered,
        status: 'False',
        reason: 'MultipleNodesFound',
        message: `Nodes: ${nodes.map(({ metadata }) => metadata.name).join(', ')}`,
      };

/** Recognises the claim's node and opens it for pods. */
export const register = async (shell: Shell, claim: NodeClaim, signal: AbortSignal): Promise<void> => {
  const at = { signal, nowMs: shell.clock.now() };
  const nodes = shell.state.nodesWith(claim.status?.providerID ?? '');
  const [node, ...others] = nodes;
  if (node === undefined || others.length > 0) {
    await writeClaimStatus(shell, { claim, conditions: [notYet(nodes)] }, at);
    return;
  }
  const nodeName = node.metadata.name;
  if (isTaintMissing(node)) shell.reporter.report({ kind: 'taint-missing', claim, nodeName });
  if ((await patchNode(shell, { node, body: registeredNode(node, claim) }, { signal })) === 'gone') return;
  await writeClaimStatus(shell, { claim, conditions: [{ type: registered, status: 'True' }], fields: { nodeName } }, at);
  shell.reporter.report({ kind: 'registered', claim, nodeName, tookMs: ageMs(claim.metadata, at.nowMs) });
};
