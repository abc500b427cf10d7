import type { RecordedEvent } from '@karpenter/runtime';
import type { NodeClaim, RebalancePlan } from '../../../apis/index.ts';
import type { Node, Pod } from '../../../kube/index.ts';
import type { Caches } from '../../../ports/index.ts';

type Subject = RecordedEvent['subject'];

const withUid = (uid: string | undefined): { readonly uid?: string } => (uid === undefined ? {} : { uid });

export const aboutClaim = ({ metadata: { name, uid } }: { readonly metadata: Pick<NodeClaim['metadata'], 'name' | 'uid'> }): Subject => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  name,
  ...withUid(uid),
});

export const aboutNode = ({ name, uid }: Pick<Node['metadata'], 'name' | 'uid'>): Subject => ({
  apiVersion: 'v1',
  kind: 'Node',
  name,
  ...withUid(uid),
});

export const aboutRebalancePlan = ({ metadata: { name, uid } }: RebalancePlan): Subject => ({
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'RebalancePlan',
  name,
  ...withUid(uid),
});

export const aboutPool = (name: string): Subject => ({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name });

export const aboutPod = ({ metadata: { name, namespace, uid } }: Pod): Subject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name,
  namespace: namespace ?? 'default',
  ...withUid(uid),
});

const uidIn = ({ kind, name }: Subject, { nodes, nodeClaims, nodePools }: Pick<Caches, 'nodes' | 'nodeClaims' | 'nodePools'>) => {
  switch (kind) {
    case 'Node':
      return nodes.get({ name })?.metadata.uid;
    case 'NodeClaim':
      return nodeClaims.get({ name })?.metadata.uid;
    case 'NodePool':
      return nodePools.get({ name })?.metadata.uid;
    default:
      return undefined;
  }
};

/**
 * The event with the uid of its subject, by which `kubectl describe` finds it; undefined for an event on a node that
 * does not exist, such as that of a claim that has not registered.
 */
export const withSubjectUid = (
  event: RecordedEvent,
  caches: Pick<Caches, 'nodes' | 'nodeClaims' | 'nodePools'>,
): RecordedEvent | undefined => {
  const { subject } = event;
  if (subject.uid !== undefined) return event;
  if (subject.kind === 'Node' && caches.nodes.get({ name: subject.name }) === undefined) return undefined;
  return { ...event, subject: { ...subject, ...withUid(uidIn(subject, caches)) } };
};
