import type { DaemonSet, Node, NodeClaim, NodeClassKind, NodePool, Pod, PodDisruptionBudget } from '@karpenter/core';
import { podProjection } from '@karpenter/core/controllers';
import type { Caches, Namespace, NodeClassObject, VolumeAttachment } from '@karpenter/core/controllers';
import { createObjectCache } from '@karpenter/runtime';
import type { Clock, KubeClient, KubeObject, ObjectCache } from '@karpenter/runtime';

/** The caches that Karpenter follows; `all` is what a manager runs. */
export interface FollowedCaches {
  readonly caches: Caches;
  readonly all: readonly ObjectCache<unknown>[];
}

export const followedCaches = (client: KubeClient, clock: Clock, nodeClassKinds: readonly NodeClassKind[]): FollowedCaches => {
  const all: ObjectCache<unknown>[] = [];
  const keep = <T>(cache: ObjectCache<T>): ObjectCache<T> => {
    all.push(cache);
    return cache;
  };
  const follow = <T>(kind: string): ObjectCache<T> => keep(createObjectCache<KubeObject & T>({ client, clock, kind }));
  const caches: Caches = {
    pods: keep(createObjectCache<KubeObject & Pod, Pod>({ client, clock, kind: 'Pod', transform: podProjection() })),
    nodes: follow<Node>('Node'),
    nodeClaims: follow<NodeClaim>('NodeClaim'),
    nodePools: follow<NodePool>('NodePool'),
    daemonSets: follow<DaemonSet>('DaemonSet'),
    podDisruptionBudgets: follow<PodDisruptionBudget>('PodDisruptionBudget'),
    namespaces: follow<Namespace>('Namespace'),
    volumeAttachments: follow<VolumeAttachment>('VolumeAttachment'),
    nodeClasses: new Map(nodeClassKinds.map(({ kind }) => [kind, follow<NodeClassObject>(kind)])),
  };
  return { caches, all };
};
