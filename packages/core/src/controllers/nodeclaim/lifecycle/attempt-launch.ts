import { withDeadline } from '@karpenter/runtime';
import type { NodeClaim } from '../../../apis/index.ts';
import { CloudProviderError } from '../../../cloudprovider/index.ts';
import type { CloudProvider } from '../../../cloudprovider/index.ts';
import type { Clock } from '../../../ports/index.ts';
import { launchOutcomeOf } from './launch-outcome.ts';
import type { LaunchOutcome } from './launch-outcome.ts';

export interface LaunchAttempt {
  readonly provider: CloudProvider;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Time limit for the provider's answer. */
  readonly afterMs: number;
}

/** Asks the cloud for the claim's machine. The provider's failures become outcomes here, and nowhere else. */
export const attemptLaunch = async (claim: NodeClaim, { provider, ...deadline }: LaunchAttempt): Promise<LaunchOutcome> => {
  try {
    const answer = await withDeadline(deadline, (signal) => provider.create(claim, { signal }));
    if (answer.kind === 'done') return { kind: 'launched', machine: answer.value };
    return { kind: 'retry', reason: 'LaunchFailed', message: `${provider.name} gave no answer in time`, afterMs: 0, isOfPool: false };
  } catch (error) {
    if (error instanceof CloudProviderError) return launchOutcomeOf(error);
    throw error;
  }
};
