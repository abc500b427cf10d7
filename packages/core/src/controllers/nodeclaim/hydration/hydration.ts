import { settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { patchNodeClaim } from '../../../actions/index.ts';
import { nodeClassLabel } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';

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
