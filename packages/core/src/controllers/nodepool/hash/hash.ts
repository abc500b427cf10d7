import { settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { patchNodeClaim, patchNodePool } from '../../../actions/index.ts';
import type { NodePool } from '../../../apis/index.ts';
import { hashAnnotations, labels } from '../../../apis/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';
import { migratedHash } from './migrated-hash.ts';

const says = (have: Readonly<Record<string, string>> | undefined, wanted: Readonly<Record<string, string>>): boolean =>
  Object.entries(wanted).every(([key, value]) => have?.[key] === value);

/** Keeps the hash of the template on the pool. Claims hashed by another rule are moved to this one first, so that they do not drift by it. */
export const hash = (shell: Shell): Controller<NodePool> => ({
  name: 'nodepool.hash',
  kind: 'NodePool',
  async reconcile(pool, { signal }) {
    const wanted = hashAnnotations(pool);
    if (says(pool.metadata.annotations, wanted) || !isManaged(pool.spec.template.spec.nodeClassRef, shell.provider)) return settled;
    for (const claim of shell.caches.nodeClaims.list()) {
      if (claim.metadata.labels?.[labels.nodePool] !== pool.metadata.name) continue;
      const annotations = migratedHash(claim, wanted);
      if (annotations !== undefined) await patchNodeClaim(shell, { claim, body: { metadata: { annotations } } }, { signal });
    }
    await patchNodePool(shell, { pool, body: { metadata: { annotations: wanted } } }, { signal });
    return settled;
  },
});
