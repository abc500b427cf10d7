import type { CloudProvider, CloudProviderErrorCode, Machine } from '../../../cloudprovider/index.ts';
import { requeueAfter, settled, withDeadline } from '@karpenter/runtime';
import type { NodeClaim } from '../../../apis/index.ts';
import { CloudProviderError } from '../../../cloudprovider/index.ts';
import type { Clock } from '../../../ports/index.ts';
import { ageMs } from '../../../kube/index.ts';
import type { Outcome } from '@karpenter/runtime';
import { Backoff, deleteNodeClaim, patchNodeClaim, writeClaimStatus } from '../../../actions/index.ts';
import { labels as labelNames, nodeClaimConditions } from '../../../apis/index.ts';
import { unreachable } from '../../../base/index.ts';
import type { Shell } from '../../shell.ts';
import { tellPool } from './tell-pool.ts';

/** Why a claim is deleted at its launch; a metric label. */
type GivenUp = 'insufficient_capacity' | 'nodeclass_not_ready' | 'launch_refused';

/** The outcome of asking the cloud for a machine. */
type LaunchOutcome =
  | { readonly kind: 'launched'; readonly machine: Machine }
  /** The claim is deleted; its pods are planned again. */
  | { readonly kind: 'given-up'; readonly reason: GivenUp; readonly message: string; readonly cause: string }
  /** The claim stays and says why; tried again after `afterMs` at least. `isOfPool`: other pools may have no such trouble. */
  | { readonly kind: 'retry'; readonly reason: string; readonly message: string; readonly afterMs: number; readonly isOfPool: boolean };

type Meaning = (error: CloudProviderError) => LaunchOutcome;

const givenUp =
  (as: GivenUp, cause?: string): Meaning =>
  ({ message, reason = 'LaunchFailed' }) => ({ kind: 'given-up', reason: as, message, cause: cause ?? reason });

const retry =
  (isOfPool: boolean): Meaning =>
  ({ message, reason = 'LaunchFailed', retryAfterMs: afterMs = 0 }) => ({ kind: 'retry', reason, message, afterMs, isOfPool });

const MEANINGS: Readonly<Record<CloudProviderErrorCode, Meaning>> = {
  'insufficient-capacity': givenUp('insufficient_capacity'),
  'node-class-not-ready': givenUp('nodeclass_not_ready', 'NodeClassNotReady'),
  'launch-refused': givenUp('launch_refused'),
  'launch-failed': retry(true),
  forbidden: retry(true),
  throttled: retry(false),
  network: retry(false),
  'node-pool-unevaluated': retry(false),
};

/** What a failed launch means for its claim, by the failure's code. */
export const launchOutcomeOf = (error: CloudProviderError): LaunchOutcome => MEANINGS[error.code](error);

const LONGEST = 300;

/** A message as a condition shows it: 300 characters, then `...`. */
export const shortened = (message: string): string => (message.length > LONGEST ? `${message.slice(0, LONGEST)}...` : message);

interface LaunchAttempt {
  readonly provider: CloudProvider;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Time limit for the provider's answer. */
  readonly afterMs: number;
}

/** Asks the cloud for the claim's machine. The provider's failures become outcomes here, and nowhere else. */
const attemptLaunch = async (claim: NodeClaim, { provider, ...deadline }: LaunchAttempt): Promise<LaunchOutcome> => {
  try {
    const answer = await withDeadline(deadline, (signal) => provider.create(claim, { signal }));
    if (answer.kind === 'done') return { kind: 'launched', machine: answer.value };
    return { kind: 'retry', reason: 'LaunchFailed', message: `${provider.name} gave no answer in time`, afterMs: 0, isOfPool: false };
  } catch (error) {
    if (error instanceof CloudProviderError) return launchOutcomeOf(error);
    throw error;
  }
};

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
