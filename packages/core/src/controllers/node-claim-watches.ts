import { watchOf } from '@karpenter/runtime';
import type { ObjectKey, Watch } from '@karpenter/runtime';
import type { Node } from '../kube/index.ts';
import type { ClusterState } from '../state/index.ts';

/** A node's changes concern the claim that it belongs to. */
export const nodesOfClaims = (state: Pick<ClusterState, 'claimWith'>): Watch =>
  watchOf<Node>('Node', ({ object }): readonly ObjectKey[] => {
    const providerId = object.spec?.providerID;
    const claim = providerId === undefined ? undefined : state.claimWith(providerId);
    return claim === undefined ? [] : [{ name: claim.metadata.name }];
  });
