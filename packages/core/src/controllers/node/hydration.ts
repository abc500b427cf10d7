import { settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { patchNode, patchNodeClaim } from '../../actions/index.ts';
import { labels, nodeClassLabel } from '../../apis/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import type { Node } from '../../kube/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import type { Shell } from '../shell.ts';

/** Gives claims that an older version made the label by which they name their NodeClass. */
export const claimHydration = (shell: Shell): Controller<NodeClaim> => ({
  name: 'nodeclaim.hydration',
  kind: 'NodeClaim',
  async reconcile(claim, { signal }) {
    const [key, name] = nodeClassLabel(claim.spec.nodeClassRef);
    if (!isManaged(claim.spec.nodeClassRef, shell.provider) || claim.metadata.labels?.[key] === name) return settled;
    await patchNodeClaim(shell, { claim, body: { metadata: { labels: { [key]: name } } } }, { signal });
    return settled;
  },
});

/**
 * Gives nodes that an older version registered the label by which they name their NodeClass. Nodes that are joining get
 * theirs with the rest.
 */
export const nodeHydration = (shell: Shell): Controller<Node> => ({
  name: 'node.hydration',
  kind: 'Node',
  async reconcile(node, { signal }) {
    const claim = shell.state.claimOf(node);
    if (claim === undefined || !isManaged(claim.spec.nodeClassRef, shell.provider)) return settled;
    const [key, name] = nodeClassLabel(claim.spec.nodeClassRef);
    if (node.metadata.labels?.[labels.registered] !== 'true' || node.metadata.labels[key] === name) return settled;
    await patchNode(shell, { node, body: { metadata: { labels: { [key]: name } } } }, { signal });
    return settled;
  },
});
