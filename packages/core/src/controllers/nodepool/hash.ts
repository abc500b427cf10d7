import { settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { patchNodeClaim, patchNodePool } from '../../actions/index.ts';
import { annotations, hashAnnotations, nodeClaimConditions, nodePoolNameOf } from '../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../apis/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import { isConditionTrue } from '../../kube/index.ts';
import type { Shell } from '../shell.ts';

type Annotations = Readonly<Record<string, string>>;

/**
 * What a claim that was hashed by another rule is to say; undefined when it was hashed by this one. A claim that has
 * drifted keeps its hash, so that it stays drifted; any other is taken to be what the pool asks for.
 */
export const migratedHash = (claim: NodeClaim, wanted: Annotations): Annotations | undefined => {
  const version = wanted[annotations.nodePoolHashVersion];
  if (version === undefined || claim.metadata.annotations?.[annotations.nodePoolHashVersion] === version) return undefined;
  const hasDrifted = isConditionTrue(claim.status?.conditions, nodeClaimConditions.drifted);
  return hasDrifted ? { [annotations.nodePoolHashVersion]: version } : wanted;
};

const says = (have: Annotations | undefined, wanted: Annotations): boolean =>
  Object.entries(wanted).every(([key, value]) => have?.[key] === value);

/**
 * Keeps the hash of the template on the pool. Claims hashed by another rule are moved to this one first, so that they
 * do not drift by it.
 */
export const hash = (shell: Shell): Controller<NodePool> => ({
  name: 'nodepool.hash',
  kind: 'NodePool',
  async reconcile(pool, { signal }) {
    const wanted = hashAnnotations(pool);
    if (says(pool.metadata.annotations, wanted) || !isManaged(pool.spec.template.spec.nodeClassRef, shell.provider)) return settled;
    for (const claim of shell.caches.nodeClaims.list()) {
      if (nodePoolNameOf(claim) !== pool.metadata.name) continue;
      const migrated = migratedHash(claim, wanted);
      if (migrated !== undefined) await patchNodeClaim(shell, { claim, body: { metadata: { annotations: migrated } } }, { signal });
    }
    await patchNodePool(shell, { pool, body: { metadata: { annotations: wanted } } }, { signal });
    return settled;
  },
});
