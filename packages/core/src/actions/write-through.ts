import type { CapacityBuffer, NodeClaim, NodeOverlay, NodePool, RebalancePlan } from '../apis/index.ts';
import type { Node, ObjectMeta } from '../kube/index.ts';
import type { Caches, FollowedCache, Kube } from '../ports/index.ts';

/** What an action needs to write. */
export interface Acting {
  readonly kube: Kube;
  readonly caches: Caches;
}

interface Target {
  readonly kind: string;
  /** Absent: nobody follows the kind, and there is nothing to wait for. */
  readonly cache: FollowedCache<unknown> | undefined;
  readonly metadata: ObjectMeta;
}

export interface PatchOptions {
  readonly signal: AbortSignal;
  /** `status` writes the status subresource; the object otherwise. */
  readonly part?: 'status';
}

const isAwaited = (metadata: { readonly deletionTimestamp?: string; readonly finalizers?: readonly string[] }): boolean =>
  metadata.deletionTimestamp === undefined || (metadata.finalizers?.length ?? 0) > 0;

const patchThrough = async (
  { kube }: Acting,
  target: Target & { readonly body: object },
  options: PatchOptions,
): Promise<'written' | 'gone'> => {
  const { kind, cache, metadata, body } = target;
  const patch = { type: 'merge', body: withVersion(body, metadata.resourceVersion), signal: options.signal } as const;
  const { name, namespace } = metadata;
  const key = namespace === undefined ? { name } : { name, namespace };
  const written = await (options.part === 'status' ? kube.patchStatus(kind, key, patch) : kube.patch(kind, key, patch));
  if (written === undefined) return 'gone';
  const { resourceVersion } = written.metadata;
  if (resourceVersion !== undefined && isAwaited(written.metadata)) await cache?.waitFor(resourceVersion, options.signal);
  return 'written';
};

const withVersion = (body: object, resourceVersion: string | undefined): object => ({
  ...body,
  metadata: { ...('metadata' in body && typeof body.metadata === 'object' ? body.metadata : {}), resourceVersion },
});

/**
 * Changes a claim in the version that was read (a merge patch), and returns when the cache has the change, so that the
 * next reconcile sees its own write. Errors: KubeError `conflict` when somebody else wrote in between.
 */
export const patchNodeClaim = (
  acting: Acting,
  { claim, body }: { claim: NodeClaim; body: object },
  options: PatchOptions,
): Promise<'written' | 'gone'> =>
  patchThrough(acting, { kind: 'NodeClaim', cache: acting.caches.nodeClaims, metadata: claim.metadata, body }, options);

/** As `patchNodeClaim`, of a node. */
export const patchNode = (
  acting: Acting,
  { node, body }: { node: Node; body: object },
  options: PatchOptions,
): Promise<'written' | 'gone'> =>
  patchThrough(acting, { kind: 'Node', cache: acting.caches.nodes, metadata: node.metadata, body }, options);

/** As `patchNodeClaim`, of a NodePool. */
export const patchNodePool = (
  acting: Acting,
  { pool, body }: { pool: NodePool; body: object },
  options: PatchOptions,
): Promise<'written' | 'gone'> =>
  patchThrough(acting, { kind: 'NodePool', cache: acting.caches.nodePools, metadata: pool.metadata, body }, options);

/** As `patchNodeClaim`, of a NodeOverlay. */
export const patchNodeOverlay = (
  acting: Acting,
  { overlay, body }: { overlay: NodeOverlay; body: object },
  options: PatchOptions,
): Promise<'written' | 'gone'> =>
  patchThrough(acting, { kind: 'NodeOverlay', cache: acting.caches.nodeOverlays, metadata: overlay.metadata, body }, options);

/** As `patchNodeClaim`, of a CapacityBuffer. */
export const patchCapacityBuffer = (
  acting: Acting,
  { buffer, body }: { buffer: CapacityBuffer; body: object },
  options: PatchOptions,
): Promise<'written' | 'gone'> =>
  patchThrough(acting, { kind: 'CapacityBuffer', cache: acting.caches.capacityBuffers, metadata: buffer.metadata, body }, options);

/** Changes the status of a RebalancePlan, as `patchNodeClaim` does. */
export const patchRebalancePlan = (
  acting: Acting,
  { plan, body }: { plan: RebalancePlan; body: object },
  signal: AbortSignal,
): Promise<'written' | 'gone'> =>
  patchThrough(
    acting,
    { kind: 'RebalancePlan', cache: acting.caches.rebalancePlans, metadata: plan.metadata, body },
    { signal, part: 'status' },
  );
