import { disruptedTaint } from '../apis/index.ts';
import type { CapacityBuffer, NodeClaim, NodeOverlay, NodePool, RebalancePlan } from '../apis/index.ts';
import type { Node, ObjectMeta, Taint } from '../kube/index.ts';
import type { Caches, DecisionReporter, FollowedCache, Kube } from '../ports/index.ts';
import { isSameTaint, keyOfClaim } from '../state/index.ts';
import type { ClusterState } from '../state/index.ts';

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
 * Changes a claim in the version that was read (a merge patch). Returns when the cache has the change: the next
 * reconcile sees its own write. Errors: KubeError `conflict` when somebody else wrote in between.
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

export interface Deleting extends Acting {
  readonly state: Pick<ClusterState, 'mark'>;
  readonly reporter: DecisionReporter;
}

/**
 * Deletes a claim; its finalizer takes care of node and machine. Reports `reason` once, and leaves a claim alone that
 * is being deleted already. From then on the machine counts as marked for deletion, for budgets too, whatever the cache
 * still shows.
 */
export const deleteNodeClaim = async (
  { kube, caches, state, reporter }: Deleting,
  claim: NodeClaim,
  { reason, signal }: { reason: string; signal: AbortSignal },
): Promise<void> => {
  if (claim.metadata.deletionTimestamp !== undefined) return;
  const { name, uid } = claim.metadata;
  const deletion = await kube.delete('NodeClaim', { name }, { signal, ...(uid === undefined ? {} : { uid }) });
  if (caches.nodeClaims.get({ name })?.metadata.uid === uid) state.mark([keyOfClaim(name)]);
  if (deletion === 'gone') return;
  reporter.report({ kind: 'claim-disrupted', claim, reason });
};

const taintsOf = (node: Node): readonly Taint[] => node.spec?.taints ?? [];

export const hasDisruptedTaint = (node: Node): boolean => taintsOf(node).some((taint) => isSameTaint(taint, disruptedTaint));

/** Keeps new pods off a node that will be deleted. Does nothing where the taint is there. */
export const taintDisrupted = async (acting: Acting, node: Node, signal: AbortSignal): Promise<void> => {
  if (hasDisruptedTaint(node)) return;
  await patchNode(acting, { node, body: { spec: { taints: [...taintsOf(node), disruptedTaint] } } }, { signal });
};

/** Opens a node for pods again. Does nothing where the taint is not there. */
export const untaintDisrupted = async (acting: Acting, node: Node, signal: AbortSignal): Promise<void> => {
  if (!hasDisruptedTaint(node)) return;
  const taints = taintsOf(node).filter((taint) => !isSameTaint(taint, disruptedTaint));
  await patchNode(acting, { node, body: { spec: { taints } } }, { signal });
};
