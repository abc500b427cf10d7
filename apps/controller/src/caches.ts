import type { DaemonSet, Node, NodeClaim, NodeClassKind, NodePool, Pod, PodDisruptionBudget } from '@karpenter/core';
import type { Caches, Namespace, NodeClassObject, VolumeAttachment } from '@karpenter/core/controllers';
import { podProjection } from '@karpenter/core/controllers';
import { createObjectCache, type KubeObject, type ObjectCache, type ObjectCacheOptions } from '@karpenter/runtime';

type Connection = Pick<ObjectCacheOptions<never, never>, 'client' | 'clock' | 'logger'>;

/** One list-watch cache for each kind that Karpenter follows; `all` is what the manager runs. */
export interface FollowedCaches {
  readonly caches: Caches;
  readonly all: readonly ObjectCache<unknown>[];
  /** Those that keep their objects as the API server gave them, not projected. */
  readonly whole: readonly ObjectCache<KubeObject>[];
}

export const createCaches = (connection: Connection, nodeClassKinds: readonly NodeClassKind[]): FollowedCaches => {
  const all: ObjectCache<unknown>[] = [];
  const whole: ObjectCache<KubeObject>[] = [];
  const keep = <T>(cache: ObjectCache<T>): ObjectCache<T> => {
    all.push(cache);
    return cache;
  };
  const follow = <T>(kind: string): ObjectCache<T> => {
    const cache = keep(createObjectCache<KubeObject & T>({ ...connection, kind }));
    whole.push(cache);
    return cache;
  };
  const caches: Caches = {
    pods: keep(createObjectCache<KubeObject & Pod, Pod>({ ...connection, kind: 'Pod', transform: podProjection() })),
    nodes: follow<Node>('Node'),
    nodeClaims: follow<NodeClaim>('NodeClaim'),
    nodePools: follow<NodePool>('NodePool'),
    daemonSets: follow<DaemonSet>('DaemonSet'),
    podDisruptionBudgets: follow<PodDisruptionBudget>('PodDisruptionBudget'),
    namespaces: follow<Namespace>('Namespace'),
    volumeAttachments: follow<VolumeAttachment>('VolumeAttachment'),
    nodeClasses: new Map(nodeClassKinds.map(({ kind }) => [kind, follow<NodeClassObject>(kind)])),
  };
  return { caches, all, whole };
};
