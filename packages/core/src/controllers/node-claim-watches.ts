import { watchOf } from '@karpenter/runtime';
import type { ObjectKey, Watch } from '@karpenter/runtime';
import { ownerNodesOf } from '../cluster/index.ts';
import type { Node, ResourceSlice } from '../kube/index.ts';
import type { ClusterState } from '../state/index.ts';

/** A node's changes concern the claim that it belongs to. */
export const nodesOfClaims = (state: Pick<ClusterState, 'claimWith'>): Watch =>
  watchOf<Node>('Node', ({ object }): readonly ObjectKey[] => {
    const providerId = object.spec?.providerID;
    const claim = providerId === undefined ? undefined : state.claimWith(providerId);
    return claim === undefined ? [] : [{ name: claim.metadata.name }];
  });

/** What drivers publish of a node's devices concerns the claim that the node belongs to. */
export const slicesOfClaims = (state: Pick<ClusterState, 'claimOnNode'>): Watch =>
  watchOf<ResourceSlice>('ResourceSlice', ({ object }): readonly ObjectKey[] =>
    ownerNodesOf(object).flatMap((nodeName) => {
      const claim = state.claimOnNode(nodeName);
      return claim === undefined ? [] : [{ name: claim.metadata.name }];
    }),
  );
