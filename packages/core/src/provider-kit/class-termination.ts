import { requeueAfter, settled, watchOf } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import type { NodeClaim } from '../apis/index.ts';
import type { NodeClassKind } from '../cloudprovider/index.ts';
import type { ClassKube } from './class-kube.ts';
import type { NodeClass } from './node-class.ts';

const RECHECK_MS = 600_000;

export interface ClassTermination {
  readonly kind: Pick<NodeClassKind, 'group' | 'kind'>;
  readonly finalizer: string;
  readonly kube: Pick<ClassKube, 'list' | 'patch'>;
}

/** Lets a class that is being deleted go once no NodeClaim uses it. `nodeClassStatusKeeping` holds on to it until then. */
export const nodeClassTermination = <C extends NodeClass>({ kind, finalizer, kube }: ClassTermination): Controller<C> => {
  const uses = ({ spec: { nodeClassRef } }: NodeClaim): boolean => nodeClassRef.group === kind.group && nodeClassRef.kind === kind.kind;
  return {
    name: 'nodeclass.termination',
    kind: kind.kind,
    concurrency: 10,
    watches: [watchOf<NodeClaim>('NodeClaim', ({ object }) => (uses(object) ? [{ name: object.spec.nodeClassRef.name }] : []))],
    async reconcile(nodeClass, { signal }) {
      const { name, resourceVersion, deletionTimestamp, finalizers = [] } = nodeClass.metadata;
      if (deletionTimestamp === undefined || !finalizers.includes(finalizer)) return settled;
      const { items } = await kube.list<NodeClaim>('NodeClaim', { signal });
      if (items.some((claim) => uses(claim) && claim.spec.nodeClassRef.name === name)) return requeueAfter(RECHECK_MS);
      const metadata = {
        ...(resourceVersion !== undefined && { resourceVersion }),
        finalizers: finalizers.filter((each) => each !== finalizer),
      };
      await kube.patch(kind.kind, { name }, { type: 'merge', body: { metadata }, signal });
      return settled;
    },
  };
};
