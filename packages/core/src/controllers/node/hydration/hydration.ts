import { settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { patchNode } from '../../../actions/index.ts';
import { labels, nodeClassLabel } from '../../../apis/index.ts';
import type { Node } from '../../../kube/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';

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
