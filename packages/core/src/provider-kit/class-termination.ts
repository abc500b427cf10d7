import { requeueAfter, settled, watchOf } from '@karpenter/runtime';
import type { Controller, RecordedEvent } from '@karpenter/runtime';
import type { NodeClaim } from '../apis/index.ts';
import type { NodeClassKind } from '../cloudprovider/index.ts';
import type { EventRecording } from '../ports/index.ts';
import type { ClassKube, NodeClass } from './node-class.ts';

const RECHECK_MS = 600_000;
const MOST_NAMED = 5;

export interface ClassTermination {
  readonly kind: Pick<NodeClassKind, 'group' | 'kind'>;
  readonly finalizer: string;
  readonly kube: Pick<ClassKube, 'list' | 'patch'>;
  /** Called with what a class waits for. */
  readonly events?: EventRecording;
}

const waitingFor = ({ apiVersion, kind, metadata: { name, uid } }: NodeClass, claims: readonly NodeClaim[]): RecordedEvent => {
  const names = claims.map(({ metadata }) => metadata.name).sort();
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return {
    subject: { apiVersion, kind, name, ...(uid !== undefined && { uid }) },
    type: 'Normal',
    reason: 'WaitingOnNodeClaimTermination',
    message: `Waiting on NodeClaim termination for ${names.slice(0, MOST_NAMED).join(', ')}${more}`,
  };
};

/** Lets a class that is being deleted go once no NodeClaim uses it. `nodeClassStatusKeeping` holds on to it until then. */
export const nodeClassTermination = <C extends NodeClass>({ kind, finalizer, kube, events }: ClassTermination): Controller<C> => {
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
      const users = items.filter((claim) => uses(claim) && claim.spec.nodeClassRef.name === name);
      if (users.length > 0) {
        events?.record(waitingFor(nodeClass, users));
        return requeueAfter(RECHECK_MS);
      }
      const metadata = {
        ...(resourceVersion !== undefined && { resourceVersion }),
        finalizers: finalizers.filter((each) => each !== finalizer),
      };
      await kube.patch(kind.kind, { name }, { type: 'merge', body: { metadata }, signal });
      return settled;
    },
  };
};
