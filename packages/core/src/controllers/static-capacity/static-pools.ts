import { watchOf } from '@karpenter/runtime';
import type { Watch } from '@karpenter/runtime';
import { labels } from '../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../apis/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import type { Shell } from '../shell.ts';

/** Whether the pool keeps a fixed number of nodes, and is ours to see to. */
export const isStatic = ({ metadata, spec }: NodePool, { provider }: Pick<Shell, 'provider'>): boolean =>
  spec.replicas !== undefined && metadata.deletionTimestamp === undefined && isManaged(spec.template.spec.nodeClassRef, provider);

/** A claim that comes or goes concerns its pool. */
export const poolsOfClaims: Watch = watchOf<NodeClaim>('NodeClaim', ({ object: { metadata } }) => {
  const name = metadata.labels?.[labels.nodePool];
  return name === undefined ? [] : [{ name }];
});
