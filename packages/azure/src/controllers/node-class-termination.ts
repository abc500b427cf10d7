import type { NodeClaim } from '@karpenter/core';
import { type Controller, requeueAfter, settled, watchOf } from '@karpenter/core/controllers';
import { type AKSNodeClass, NODE_CLASS_FINALIZER } from '../apis/index.ts';
import type { AzureKube } from '../provider/azure-kube.ts';

const RECHECK_MS = 600_000;

/** Lets a class that is being deleted go once no NodeClaim uses it. */
export const nodeClassTermination = ({ kube }: { readonly kube: Pick<AzureKube, 'list' | 'patch'> }): Controller<AKSNodeClass> => ({
  name: 'nodeclass.termination',
  kind: 'AKSNodeClass',
  concurrency: 10,
  watches: [watchOf<NodeClaim>('NodeClaim', ({ object }) => [{ name: object.spec.nodeClassRef.name }])],
  async reconcile(nodeClass, { signal }) {
    const { name, resourceVersion, deletionTimestamp, finalizers = [] } = nodeClass.metadata;
    if (deletionTimestamp === undefined || !finalizers.includes(NODE_CLASS_FINALIZER)) return settled;
    const { items } = await kube.list<NodeClaim>('NodeClaim', { signal });
    if (items.some((claim) => claim.spec.nodeClassRef.name === name)) return requeueAfter(RECHECK_MS);
    const others = finalizers.filter((finalizer) => finalizer !== NODE_CLASS_FINALIZER);
    const metadata = { ...(resourceVersion !== undefined && { resourceVersion }), finalizers: others };
    await kube.patch('AKSNodeClass', { name }, { type: 'merge', body: { metadata }, signal });
    return settled;
  },
});
