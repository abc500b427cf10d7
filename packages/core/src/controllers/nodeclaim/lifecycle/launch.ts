import { ageMs } from '../../../kube/index.ts';
import { requeueAfter, settled } from '@karpenter/runtime';
import type { Outcome } from '@karpenter/runtime';
import { Backoff, deleteNodeClaim, patchNodeClaim, writeClaimStatus } from '../../../actions/index.ts';
import { labels as labelNames, nodeClaimConditions } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { unreachable } from '../../../base/index.ts';
import type { Machine } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';
import { attemptLaunch } from './attempt-launch.ts';
import { shortened } from './launch-outcome.ts';
import type { LaunchOutcome } from './launch-outcome.ts';
import { tellPool } from './tell-pool.ts';

/** The launch step of a claim. Remembers failures, so that the status changes of a claim do not cut its backoff short. */
export class Launch {
  readonly #shell: Shell;
  readonly #backoff: Backoff;

  constructor(shell: Shell) {
    this.#shell = shell;
    this.#backoff = new Backoff(shell.clock, { firstMs: 1000, maxMs: 60_000 });
  }

  /** Launches the claim's machine, or says when to try again; `withinMs` is the time the claim has left for it. */
  async run(claim: NodeClaim, { withinMs, signal }: { withinMs: number; signal: AbortSignal }): Promise<Outcome> {
    const id = claim.metadata.uid ?? claim.metadata.name;
    const waitMs = this.#backoff.remainingMs(id);
    if (waitMs > 0) return requeueAfter(Math.min(waitMs, withinMs));
    const { provider, clock } = this.#shell;
    const outcome = await attemptLaunch(claim, { provider, clock, signal, afterMs: withinMs });
    if (outcome.kind !== 'retry') this.#backoff.forget(id);
    switch (outcome.kind) {
      case 'launched':
        return this.#record(claim, outcome.machine, signal);
      case 'given-up':
        return this.#giveUp(claim, outcome, signal);
      case 'retry': {
        const retryMs = this.#backoff.failed(id, outcome.afterMs);
        await this.#explain(claim, outcome, signal);
        return requeueAfter(Math.min(retryMs, withinMs));
      }
      default:
        return unreachable(outcome);
    }
  }

  /** Labels first, status second: a claim that says Launched has its labels. A crash in between repeats both. */
  async #record(claim: NodeClaim, machine: Machine, signal: AbortSignal): Promise<Outcome> {
    const labels = { ...machine.labels, ...claim.metadata.labels };
    const annotations = { ...claim.metadata.annotations, ...machine.annotations };
    await patchNodeClaim(this.#shell, { claim, body: { metadata: { labels, annotations } } }, { signal });
    const labelled = this.#shell.caches.nodeClaims.get({ name: claim.metadata.name });
    if (labelled === undefined || labelled.metadata.uid !== claim.metadata.uid) return settled;
    const { providerId, imageId, capacity, allocatable } = machine;
    const fields = { providerID: providerId, capacity, allocatable, ...(imageId === undefined ? {} : { imageID: imageId }) };
    const conditions = [{ type: nodeClaimConditions.launched, status: 'True' }] as const;
    await writeClaimStatus(this.#shell, { claim: labelled, conditions, fields }, { signal, nowMs: this.#shell.clock.now() });
    this.#shell.reporter.report({ kind: 'launched', claim, labels, tookMs: ageMs(claim.metadata, this.#shell.clock.now()) });
    await tellPool(this.#shell, { claim, outcome: { kind: 'reached', step: 'launched' } }, signal);
    return settled;
  }

  async #giveUp(claim: NodeClaim, { reason, message, cause }: LaunchOutcome & { kind: 'given-up' }, signal: AbortSignal): Promise<Outcome> {
    this.#shell.reporter.report({ kind: 'launch-failed', claim, reason, message, willRetry: false });
    // The provider remembers which offerings are out of stock: the pool may try its other offerings at once.
    if (reason !== 'insufficient_capacity')
      await tellPool(this.#shell, { claim, outcome: { kind: 'failed', step: 'launched', cause, message: shortened(message) } }, signal);
    await deleteNodeClaim(this.#shell, claim, { reason, signal });
    return settled;
  }

  async #explain(claim: NodeClaim, { reason, message, isOfPool }: LaunchOutcome & { kind: 'retry' }, signal: AbortSignal): Promise<void> {
    if (isOfPool) this.#shell.state.launches.troubled(claim.metadata.labels?.[labelNames.nodePool] ?? '');
    this.#shell.reporter.report({ kind: 'launch-failed', claim, reason, message, willRetry: true });
    const conditions = [{ type: nodeClaimConditions.launched, status: 'Unknown', reason, message: shortened(message) }] as const;
    await writeClaimStatus(this.#shell, { claim, conditions }, { signal, nowMs: this.#shell.clock.now() });
  }
}
