import { requeueAfter, settled, watchOf } from '@karpenter/runtime';
import type { Controller, ObjectKey, Outcome, Watch } from '@karpenter/runtime';
import { ownerNodesOf } from '../../../cluster/index.ts';
import type { Node, ResourceSlice } from '../../../kube/index.ts';
import type { ClusterState } from '../../../state/index.ts';
import { Backoff, patchNodeClaim } from '../../../actions/index.ts';
import { TERMINATION_FINALIZER } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { isDeleting, isInitialized, isLaunched, isRegistered } from '../../../state/index.ts';
import { failedLaunchOf, isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';
import { finalize } from './finalization.ts';
import { LAUNCH_TIMEOUT_MS, abandonClaim, abandonFailedClaim, livenessOf } from './liveness.ts';
import { initialize } from './initialization.ts';
import { Launch } from './launch.ts';
import { register } from './registration.ts';

/** A node's changes concern the claim that it belongs to. */
const nodesOfClaims = (state: Pick<ClusterState, 'claimWith'>): Watch =>
  watchOf<Node>('Node', ({ object }): readonly ObjectKey[] => {
    const providerId = object.spec?.providerID;
    const claim = providerId === undefined ? undefined : state.claimWith(providerId);
    return claim === undefined ? [] : [{ name: claim.metadata.name }];
  });

/** What drivers publish of a node's devices concerns the claim that the node belongs to. */
const slicesOfClaims = (state: Pick<ClusterState, 'claimOnNode'>): Watch =>
  watchOf<ResourceSlice>('ResourceSlice', ({ object }): readonly ObjectKey[] =>
    ownerNodesOf(object).flatMap((nodeName) => {
      const claim = state.claimOnNode(nodeName);
      return claim === undefined ? [] : [{ name: claim.metadata.name }];
    }),
  );

const hasFinalizer = ({ metadata }: NodeClaim): boolean => metadata.finalizers?.includes(TERMINATION_FINALIZER) ?? false;

/** How long a claim goes on without its finalizer after somebody took it off; doubles each time. */
const WITHOUT_FINALIZER = { baseMs: 1000, maxMs: 10 * 60_000 };

/** No later than `withinMs` from now. */
const sooner = (outcome: Outcome, withinMs: number): Outcome =>
  requeueAfter(outcome.kind === 'settled' ? withinMs : Math.min(outcome.afterMs, withinMs));

/** High enough that a launch which hangs holds up no other. */
const CONCURRENCY = 1000;
/** The longest that a timer is set for. */
const LONGEST_WAIT_MS = 24 * 60 * 60_000;

interface LifecycleOptions {
  /** How long a registered node may take to initialize before it is deleted; Infinity: for ever. */
  readonly initializationMs: number;
}

/**
 * Takes a claim through its life: finalizer, launch, registration, initialization, termination. Each step is recorded
 * before the next, so that a restart continues where the last process stopped. A claim whose finalizer somebody takes
 * off again goes on without it: garbage collection deletes its machine once the claim is gone.
 */
export const lifecycle = (shell: Shell, { initializationMs }: LifecycleOptions): Controller<NodeClaim> => {
  const launch = new Launch(shell);
  const finalizers = new Backoff(shell.clock, WITHOUT_FINALIZER);
  const launchMs = shell.provider.launchTimeoutMs ?? LAUNCH_TIMEOUT_MS;
  let leadingSinceMs: number | undefined;

  /** The next step of a claim that has some time left. */
  const advance = async (claim: NodeClaim, withinMs: number, signal: AbortSignal): Promise<Outcome> => {
    if (!isLaunched(claim)) return launch.run(claim, { withinMs, signal });
    if (!isRegistered(claim)) return requeueAfter(Math.min(withinMs, await register(shell, claim, signal)));
    if (!isInitialized(claim)) await initialize(shell, claim, signal);
    return withinMs === Number.POSITIVE_INFINITY ? settled : requeueAfter(Math.min(withinMs, LONGEST_WAIT_MS));
  };

  /** Deletes the claim if its launch has failed or its time is over; takes it a step further otherwise. */
  const proceed = async (claim: NodeClaim, signal: AbortSignal): Promise<Outcome> => {
    const failed = failedLaunchOf(claim);
    if (failed !== undefined) {
      await abandonFailedClaim(shell, { claim, failed }, signal);
      return settled;
    }
    const [node] = shell.state.nodesOf(claim);
    const nowMs = shell.clock.now();
    leadingSinceMs ??= nowMs;
    const liveness = livenessOf(claim, { nowMs, leadingSinceMs, launchMs, node, initializationMs });
    if (liveness.kind === 'overdue') {
      await abandonClaim(shell, { claim, reason: liveness.reason }, signal);
      return settled;
    }
    return advance(claim, liveness.kind === 'due' ? liveness.inMs : Number.POSITIVE_INFINITY, signal);
  };

  /** Puts the finalizer on. Where it was taken off just now, takes the claim a step further instead. */
  const proceedWithout = async (claim: NodeClaim, signal: AbortSignal): Promise<Outcome> => {
    const id = claim.metadata.uid ?? claim.metadata.name;
    const waitMs = finalizers.remainingMs(id);
    if (waitMs > 0) return sooner(await proceed(claim, signal), waitMs);
    const body = { metadata: { finalizers: [...(claim.metadata.finalizers ?? []), TERMINATION_FINALIZER] } };
    await patchNodeClaim(shell, { claim, body }, { signal });
    if (finalizers.failed(id) > WITHOUT_FINALIZER.baseMs) shell.reporter.report({ kind: 'finalizer-removed', claim });
    return settled;
  };

  return {
    name: 'nodeclaim.lifecycle',
    kind: 'NodeClaim',
    concurrency: CONCURRENCY,
    watches: [nodesOfClaims(shell.state), ...(shell.caches.devices === undefined ? [] : [slicesOfClaims(shell.state)])],
    async reconcile(claim, { signal }) {
      if (!isManaged(claim.spec.nodeClassRef, shell.provider)) return settled;
      if (isDeleting(claim)) return finalize(shell, claim, signal);
      return hasFinalizer(claim) ? proceed(claim, signal) : proceedWithout(claim, signal);
    },
  };
};
