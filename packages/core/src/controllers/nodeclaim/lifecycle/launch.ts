import { isFailure, requeueAfter, settled, withDeadline } from '@karpenter/runtime';
import type { Outcome } from '@karpenter/runtime';
import type { CloudProvider, CloudProviderErrorCode, Machine } from '../../../cloudprovider/index.ts';
import type { LabelCatalog, NodeClaim } from '../../../apis/index.ts';
import { CloudProviderError } from '../../../cloudprovider/index.ts';
import type { Clock } from '../../../ports/index.ts';
import { ageMs } from '../../../kube/index.ts';
import { Backoff, deleteNodeClaim, patchNodeClaim, writeClaimStatus } from '../../../actions/index.ts';
import { defaultLabelCatalog, nodeClaimConditions, nodeClaimProblems, nodePoolNameOf } from '../../../apis/index.ts';
import { epochMsOf, problemsText, unreachable } from '../../../base/index.ts';
import { plannedPodsOf } from '../../../state/index.ts';
import type { Shell } from '../../shell.ts';
import { makerOf, nodeNotFound, reportPool } from './registration.ts';

/** Why a claim is deleted at its launch; a metric label. */
type AbandonReason = 'insufficient_capacity' | 'nodeclass_not_ready' | 'launch_refused';

/** The outcome of asking the cloud for a machine. */
type LaunchOutcome =
  | { readonly kind: 'launched'; readonly machine: Machine }
  /** The claim is deleted; its pods are planned again. */
  | { readonly kind: 'abandoned'; readonly reason: AbandonReason; readonly message: string; readonly cause: string }
  /** The claim stays and says why; it is launched again. */
  | ({ readonly kind: 'retry'; readonly reason: string; readonly message: string; readonly afterMs: number } & RetryCause);

/** What a launch that is tried again failed for. */
interface RetryCause {
  /** Other pools may have no such trouble. */
  readonly isOfPool: boolean;
  /** The provider has another offering to try. */
  readonly picksAnother: boolean;
  /** The claim is not sound: no launch of it can succeed. */
  readonly isOfClaim?: true;
}

type Meaning = (error: CloudProviderError) => LaunchOutcome;

const abandoned =
  (as: AbandonReason, cause?: string): Meaning =>
  ({ message, reason = 'LaunchFailed' }) => ({ kind: 'abandoned', reason: as, message, cause: cause ?? reason });

const OF_POOL: RetryCause = { isOfPool: true, picksAnother: false };
const OF_CLOUD: RetryCause = { isOfPool: false, picksAnother: false };
const OF_CLAIM: RetryCause = { ...OF_CLOUD, isOfClaim: true };
const OF_OFFERING: RetryCause = { isOfPool: true, picksAnother: true };

const retry =
  (cause: RetryCause): Meaning =>
  ({ message, reason = 'LaunchFailed', retryAfterMs: afterMs = 0 }) => ({ kind: 'retry', reason, message, afterMs, ...cause });

const MEANINGS: Readonly<Record<CloudProviderErrorCode, Meaning>> = {
  'insufficient-capacity': abandoned('insufficient_capacity'),
  'node-class-not-ready': abandoned('nodeclass_not_ready', 'NodeClassNotReady'),
  'launch-refused': abandoned('launch_refused'),
  'offering-unavailable': retry(OF_OFFERING),
  'launch-failed': retry(OF_POOL),
  forbidden: retry(OF_POOL),
  throttled: retry(OF_CLOUD),
  network: retry(OF_CLOUD),
  'node-pool-unevaluated': retry(OF_CLOUD),
};

/** What a failed launch means for its claim, by the failure's code. */
export const launchOutcomeOf = (error: CloudProviderError): LaunchOutcome => MEANINGS[error.code](error);

const LONGEST = 300;

/** A message as a condition shows it: 300 characters, then `...`. */
export const truncate = (message: string): string => (message.length > LONGEST ? `${message.slice(0, LONGEST)}...` : message);

interface LaunchAttempt {
  readonly provider: CloudProvider;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Time limit for the provider's answer. */
  readonly afterMs: number;
}

/** The API server judges which labels a claim may name; a claim also names its node class. */
const ANY_LABEL: LabelCatalog = {
  ...defaultLabelCatalog,
  ...{ restrictedDomains: new Set(), restrictedLabels: new Set(), knownValues: new Map() },
};

/**
 * Asks the cloud for the claim's machine. The provider's failures become outcomes here, and nowhere else. A claim that is
 * not sound, as an older definition or none at all let it in, is launched by nobody. Its pool is not to blame: anybody
 * may have written it.
 */
const attemptLaunch = async (claim: NodeClaim, { provider, ...deadline }: LaunchAttempt): Promise<LaunchOutcome> => {
  const problems = nodeClaimProblems(claim, ANY_LABEL);
  if (problems.length > 0) return { kind: 'retry', reason: 'LaunchFailed', message: problemsText(problems), afterMs: 0, ...OF_CLAIM };
  try {
    const answer = await withDeadline(deadline, (signal) => provider.create(claim, { signal }));
    if (answer.kind === 'done') return { kind: 'launched', machine: answer.value };
    return { kind: 'retry', reason: 'LaunchFailed', message: `${provider.name} gave no answer in time`, afterMs: 0, ...OF_CLOUD };
  } catch (error) {
    if (error instanceof CloudProviderError) return launchOutcomeOf(error);
    throw error;
  }
};

/** In each minute, so often a claim is launched again without a wait. */
export const AT_ONCE_PER_CLAIM = 20;
/** In each minute, so often the claims of a pool are launched again without a wait. */
export const AT_ONCE_PER_POOL = 100;
const MINUTE_MS = 60_000;

/** The launches without a wait in a pool's current minute. */
interface PoolMinute {
  readonly startMs: number;
  readonly timesByClaim: Map<string, number>;
  times: number;
}

/** A launch that failed and is tried again. */
interface FailedTry {
  readonly claim: NodeClaim;
  /** The provider chooses another offering now. */
  readonly picksAnother: boolean;
  /** How long the cloud wants to be left alone; 0: it does not say. */
  readonly afterMs: number;
}

const idOf = ({ metadata }: NodeClaim): string => metadata.uid ?? metadata.name;

/**
 * When a failed launch is tried again: at once where another offering is left to try, with backoff otherwise. A cloud
 * that refuses everything gets `AT_ONCE_PER_CLAIM` and `AT_ONCE_PER_POOL` launches a minute beside those of the backoff.
 * Status changes of a claim do not cut its backoff short.
 */
export class LaunchRetry {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #minutes = new Map<string, PoolMinute>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#backoff = new Backoff(clock, { baseMs: 1000, maxMs: MINUTE_MS });
  }

  /** Milliseconds until the claim may be launched; 0: now. */
  remainingMs(claim: NodeClaim): number {
    return this.#backoff.remainingMs(idOf(claim));
  }

  /** Counts a failure. Returns the milliseconds to wait; 0: at once. */
  failed({ claim, picksAnother, afterMs }: FailedTry): number {
    if (picksAnother && this.#takeTurn(claim)) return 0;
    return this.#backoff.failed(idOf(claim), afterMs);
  }

  /** The claim was launched, or is deleted. */
  forget(claim: NodeClaim): void {
    this.#backoff.forget(idOf(claim));
  }

  /** Takes one launch of the pool's minute, if one is left for the claim. */
  #takeTurn(claim: NodeClaim): boolean {
    const minute = this.#minuteOf(nodePoolNameOf(claim));
    const id = idOf(claim);
    const times = minute.timesByClaim.get(id) ?? 0;
    if (times >= AT_ONCE_PER_CLAIM || minute.times >= AT_ONCE_PER_POOL) return false;
    minute.timesByClaim.set(id, times + 1);
    minute.times += 1;
    return true;
  }

  /** The current minute of a pool. It begins with the first failure after the last one ended. */
  #minuteOf(pool: string): PoolMinute {
    const nowMs = this.#clock.now();
    const current = this.#minutes.get(pool);
    if (current !== undefined && nowMs < current.startMs + MINUTE_MS) return current;
    const next = { startMs: nowMs, timesByClaim: new Map<string, number>(), times: 0 };
    this.#minutes.set(pool, next);
    return next;
  }
}

/**
 * So many launches of one pool, and of all, are under way at once: a cloud that does not answer leaves workers for other
 * pools, and for the other steps of claims.
 */
const MOST_OF_POOL = 400;
const MOST_OF_ALL = 800;
const FULL_MS = 1000;

/** The launch step of a claim. */
export class Launch {
  readonly #shell: Shell;
  readonly #retry: LaunchRetry;
  /** Pool → its launches under way. */
  readonly #underway = new Map<string, number>();

  constructor(shell: Shell) {
    this.#shell = shell;
    this.#retry = new LaunchRetry(shell.clock);
  }

  /** Launches the claim's machine, or says when to try again; `withinMs` is the time the claim has left for it. */
  async run(claim: NodeClaim, { withinMs, signal }: { withinMs: number; signal: AbortSignal }): Promise<Outcome> {
    const waitMs = this.#retry.remainingMs(claim);
    if (waitMs > 0) return requeueAfter(Math.min(waitMs, withinMs));
    const pool = nodePoolNameOf(claim);
    if (this.#isFull(pool)) return requeueAfter(Math.min(FULL_MS, withinMs));
    this.#count(pool, 1);
    const outcome = await this.#attempt(claim, withinMs, signal).finally(() => this.#count(pool, -1));
    if (outcome.kind !== 'retry') this.#retry.forget(claim);
    switch (outcome.kind) {
      case 'launched':
        return this.#record(claim, outcome.machine, signal);
      case 'abandoned':
        return this.#abandonClaim(claim, outcome, signal);
      case 'retry':
        return this.#putOff(claim, outcome, { withinMs, signal });
      default:
        return unreachable(outcome);
    }
  }

  #isFull(pool: string): boolean {
    const all = [...this.#underway.values()].reduce((sum, times) => sum + times, 0);
    return all >= MOST_OF_ALL || (this.#underway.get(pool) ?? 0) >= MOST_OF_POOL;
  }

  #count(pool: string, by: 1 | -1): void {
    const times = (this.#underway.get(pool) ?? 0) + by;
    if (times === 0) this.#underway.delete(pool);
    else this.#underway.set(pool, times);
  }

  /** Errors: a bug of the provider. It is of the claim's pool, as far as others can serve. */
  async #attempt(claim: NodeClaim, afterMs: number, signal: AbortSignal): Promise<LaunchOutcome> {
    const { provider, clock } = this.#shell;
    try {
      return await attemptLaunch(claim, { provider, clock, signal, afterMs });
    } catch (error) {
      if (signal.aborted || isFailure(error)) throw error;
      this.#troublePool(claim);
      if (this.#isForAnotherPool(claim)) await this.#deleteForAnotherPool(claim, signal);
      throw error;
    }
  }

  #troublePool(claim: NodeClaim): void {
    const pool = makerOf(this.#shell, claim);
    if (pool !== undefined) this.#shell.state.launches.troubled(pool.metadata.name);
  }

  /**
   * Whether the pods of a claim whose launch failed are planned again: its pool failed after the claim was made, and
   * another pool may serve them. A claim that was made in spite of the trouble stays: no other pool did.
   */
  #isForAnotherPool(claim: NodeClaim): boolean {
    const { state } = this.#shell;
    const pool = nodePoolNameOf(claim);
    const isOlder = (epochMsOf(claim.metadata.creationTimestamp) ?? 0) <= (state.launches.avoidedSinceMs(pool) ?? 0);
    return isOlder && plannedPodsOf(claim).length > 0 && state.hasOpenPoolBeside(pool);
  }

  /** Whether pods wait for a claim that never gets a machine, and that its pool did not make. */
  #keepsPodsInVain(claim: NodeClaim, { isOfClaim }: RetryCause): boolean {
    return isOfClaim === true && plannedPodsOf(claim).length > 0 && makerOf(this.#shell, claim) === undefined;
  }

  async #deleteForAnotherPool(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    this.#retry.forget(claim);
    await deleteNodeClaim(this.#shell, claim, { reason: 'launch_refused', signal });
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
    const launched = { type: nodeClaimConditions.launched, status: 'True' } as const;
    const hasJoined = this.#shell.state.nodesWith(providerId).length > 0;
    const conditions = hasJoined ? [launched] : [launched, nodeNotFound];
    await writeClaimStatus(this.#shell, { claim: labelled, conditions, fields }, { signal, nowMs: this.#shell.clock.now() });
    this.#shell.reporter.report({ kind: 'launched', claim, labels, tookMs: ageMs(claim.metadata, this.#shell.clock.now()) });
    await reportPool(this.#shell, { claim, outcome: { kind: 'reached', step: 'launched' } }, signal);
    return settled;
  }

  async #abandonClaim(
    claim: NodeClaim,
    { reason, message, cause }: LaunchOutcome & { kind: 'abandoned' },
    signal: AbortSignal,
  ): Promise<Outcome> {
    this.#shell.reporter.report({ kind: 'launch-failed', claim, reason, message, willRetry: false });
    // The provider remembers which offerings are out of stock: the pool may try its other offerings at once.
    if (reason !== 'insufficient_capacity')
      await reportPool(this.#shell, { claim, outcome: { kind: 'failed', step: 'launched', cause, message: truncate(message) } }, signal);
    await deleteNodeClaim(this.#shell, claim, { reason, signal });
    return settled;
  }

  /** Launches the claim later, or leaves its pods to another pool. */
  async #putOff(
    claim: NodeClaim,
    outcome: LaunchOutcome & { kind: 'retry' },
    until: { withinMs: number; signal: AbortSignal },
  ): Promise<Outcome> {
    const { message, isOfPool, picksAnother } = outcome;
    const { withinMs, signal } = until;
    const retryMs = this.#retry.failed({ claim, ...outcome });
    const isTrouble = retryMs > 0 && isOfPool;
    if (isTrouble) this.#troublePool(claim);
    if (this.#keepsPodsInVain(claim, outcome) || (isTrouble && !picksAnother && this.#isForAnotherPool(claim))) {
      this.#shell.reporter.report({ kind: 'launch-failed', claim, reason: 'launch_refused', message, willRetry: false });
      await this.#deleteForAnotherPool(claim, signal);
      return settled;
    }
    return requeueAfter(Math.min(await this.#noteFailure(claim, { ...outcome, retryMs }, signal), withinMs));
  }

  /** Returns the milliseconds to wait. The status does not change where none: the next answer is there in a moment. */
  async #noteFailure(
    claim: NodeClaim,
    { reason, message, retryMs }: { readonly reason: string; readonly message: string; readonly retryMs: number },
    signal: AbortSignal,
  ): Promise<number> {
    this.#shell.reporter.report({ kind: 'launch-failed', claim, reason, message, willRetry: true });
    if (retryMs === 0) return 0;
    const conditions = [{ type: nodeClaimConditions.launched, status: 'Unknown', reason, message: truncate(message) }] as const;
    await writeClaimStatus(this.#shell, { claim, conditions }, { signal, nowMs: this.#shell.clock.now() });
    return retryMs;
  }
}
