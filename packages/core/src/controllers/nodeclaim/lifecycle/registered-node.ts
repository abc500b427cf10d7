import { labels, TERMINATION_FINALIZER, unregisteredTaint } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import type { Node, ObjectMeta, OwnerReference, Taint } from '../../../kube/index.ts';
import { isSameTaint, PLANNED_PODS_ANNOTATION, REPLACES_ANNOTATION } from '../../../state/index.ts';

/** What a node is to say once it is known whose it is. */
export interface RegisteredNode {
  readonly metadata: Pick<ObjectMeta, 'finalizers' | 'ownerReferences' | 'labels' | 'annotations'>;
  readonly spec: { readonly taints: readonly Taint[] };
}

const ownersOf = (node: Node, { metadata: { name, uid = '' } }: NodeClaim): readonly OwnerReference[] => {
  const others = node.metadata.ownerReferences?.filter((owner) => owner.kind !== 'NodeClaim') ?? [];
  return [...others, { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name, uid, blockOwnerDeletion: true }];
};

/** The node's taints and the claim's, the node's winning. */
const syncedTaints = (node: Node, claim: NodeClaim): readonly Taint[] => {
  const own = node.spec?.taints ?? [];
  const isSynced = node.metadata.labels?.[labels.doNotSyncTaints] !== 'true' && node.metadata.labels?.[labels.registered] !== 'true';
  const wanted = isSynced ? [...(claim.spec.taints ?? []), ...(claim.spec.startupTaints ?? [])] : [];
  const missing = wanted.filter((taint) => !own.some((each) => isSameTaint(each, taint)));
  return [...own, ...missing];
};

/**
 * The node as its claim wants it, still closed; labels and annotations of the claim win. Taints are synced once: later
 * ones are the node's own.
 */
export const recognizedNode = (node: Node, claim: NodeClaim): RegisteredNode => {
  const { [PLANNED_PODS_ANNOTATION]: _, [REPLACES_ANNOTATION]: __, ...claimAnnotations } = claim.metadata.annotations ?? {};
  const finalizers = new Set([...(node.metadata.finalizers ?? []), TERMINATION_FINALIZER]);
  return {
    metadata: {
      finalizers: [...finalizers],
      ownerReferences: ownersOf(node, claim),
      labels: { ...node.metadata.labels, ...claim.metadata.labels },
      annotations: { ...node.metadata.annotations, ...claimAnnotations },
    },
    spec: { taints: syncedTaints(node, claim) },
  };
};

/** The same, open for pods: without the taint that kept everything off an unknown machine. */
export const registeredNode = (node: Node, claim: NodeClaim): RegisteredNode => {
  const { metadata, spec } = recognizedNode(node, claim);
  return {
    metadata: { ...metadata, labels: { ...metadata.labels, [labels.registered]: 'true' } },
    spec: { taints: spec.taints.filter((taint) => !isSameTaint(taint, unregisteredTaint)) },
  };
};

/** Whether the machine came up open to everything: its bootstrap forgot the taint. */
export const isTaintMissing = (node: Node): boolean =>
  node.metadata.labels?.[labels.registered] !== 'true' && !(node.spec?.taints ?? []).some((taint) => isSameTaint(taint, unregisteredTaint));
