import type { RecordedEvent } from '@karpenter/runtime';
import type { NodeClaim } from '../../../apis/index.ts';
import type { Node, Pod } from '../../../kube/index.ts';

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

export const aboutPool = (name: string): Subject => ({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name });

export const aboutPod = ({ metadata: { name, namespace, uid } }: Pod): Subject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name,
  namespace: namespace ?? 'default',
  ...withUid(uid),
});
