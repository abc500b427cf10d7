import { unreachable } from '../../../base/index.ts';
import type { CloudProviderError, Machine } from '../../../cloudprovider/index.ts';

/** The outcome of asking the cloud for a machine. */
export type LaunchOutcome =
  | { readonly kind: 'launched'; readonly machine: Machine }
  /** The claim is deleted; its pods are planned again. */
  | { readonly kind: 'given-up'; readonly reason: 'insufficient_capacity' | 'nodeclass_not_ready'; readonly message: string }
  /** The claim stays and says why; tried again after `afterMs` at least. */
  | { readonly kind: 'retry'; readonly reason: string; readonly message: string; readonly afterMs: number };

/** What a failed launch means for its claim, by the failure's code. */
export const launchOutcomeOf = (error: CloudProviderError): LaunchOutcome => {
  const { code, message, reason = 'LaunchFailed', retryAfterMs: afterMs = 0 } = error;
  switch (code) {
    case 'insufficient-capacity':
      return { kind: 'given-up', reason: 'insufficient_capacity', message };
    case 'node-class-not-ready':
      return { kind: 'given-up', reason: 'nodeclass_not_ready', message };
    case 'launch-failed':
    case 'throttled':
    case 'forbidden':
    case 'network':
    case 'node-pool-unevaluated':
      return { kind: 'retry', reason, message, afterMs };
    default:
      return unreachable(code);
  }
};
