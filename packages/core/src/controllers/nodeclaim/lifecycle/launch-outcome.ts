import type { CloudProviderError, CloudProviderErrorCode, Machine } from '../../../cloudprovider/index.ts';

/** Why a claim is deleted at its launch; a metric label. */
type GivenUp = 'insufficient_capacity' | 'nodeclass_not_ready' | 'launch_refused';

/** The outcome of asking the cloud for a machine. */
export type LaunchOutcome =
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
