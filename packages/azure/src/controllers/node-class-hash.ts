import { isConditionTrue, nodeClaimConditions, type NodeClaim } from '@karpenter/core';
import { type Controller, settled } from '@karpenter/core/controllers';
import { type AKSNodeClass, azureAnnotations, nodeClassHashOf, NODE_CLASS_HASH_VERSION } from '../apis/index.ts';
import type { AzureKube } from '../provider/azure-kube.ts';

const { nodeClassHash, nodeClassHashVersion } = azureAnnotations;

const isOf = (claim: NodeClaim, nodeClass: AKSNodeClass): boolean =>
  claim.spec.nodeClassRef.kind === 'AKSNodeClass' && claim.spec.nodeClassRef.name === nodeClass.metadata.name;

/** What a claim is stamped with when the way of hashing changed: one that had drifted already stays so. */
const restamped = (claim: NodeClaim, hash: string): Readonly<Record<string, string>> => ({
  [nodeClassHashVersion]: NODE_CLASS_HASH_VERSION,
  ...(!isConditionTrue(claim.status?.conditions, nodeClaimConditions.drifted) && { [nodeClassHash]: hash }),
});

/** Stamps classes with the hash of what machines are made by, and brings claims along when the way of hashing changed. */
export const nodeClassHashing = ({ kube }: { readonly kube: Pick<AzureKube, 'list' | 'patch'> }): Controller<AKSNodeClass> => ({
  name: 'nodeclass.hash',
  kind: 'AKSNodeClass',
  concurrency: 10,
  async reconcile(nodeClass, { signal }) {
    const stamped = nodeClass.metadata.annotations ?? {};
    const hash = nodeClassHashOf(nodeClass);
    if (stamped[nodeClassHashVersion] !== NODE_CLASS_HASH_VERSION && stamped[nodeClassHashVersion] !== undefined) {
      const { items } = await kube.list<NodeClaim>('NodeClaim', { signal });
      for (const claim of items.filter((item) => isOf(item, nodeClass))) {
        const body = { metadata: { annotations: restamped(claim, hash) } };
        await kube.patch('NodeClaim', { name: claim.metadata.name }, { type: 'merge', body, signal });
      }
    }
    if (stamped[nodeClassHash] !== hash || stamped[nodeClassHashVersion] !== NODE_CLASS_HASH_VERSION) {
      const annotations = { [nodeClassHash]: hash, [nodeClassHashVersion]: NODE_CLASS_HASH_VERSION };
      await kube.patch('AKSNodeClass', { name: nodeClass.metadata.name }, { type: 'merge', body: { metadata: { annotations } }, signal });
    }
    return settled;
  },
});
