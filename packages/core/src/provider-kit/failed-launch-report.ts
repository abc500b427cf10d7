import { failedLaunchAnnotation } from '../cloudprovider/index.ts';
import type { CallOptions, CloudProviderError } from '../cloudprovider/index.ts';
import type { ClassKube } from './node-class.ts';

/** How the cloud failed to make a machine that it had accepted. */
export interface LateFailure {
  readonly claimName: string;
  /** `insufficient-capacity`: the provider keeps back what was out of stock, and the next plan buys something else at once. */
  readonly error: CloudProviderError;
}

/**
 * Reports to core that a launch failed after the cloud had accepted it: core deletes the claim and its machine, and
 * states the reason. Unless it was for want of capacity it counts for the pause of a pool whose launches keep failing.
 * Written on the claim, in the annotation `karpenter.sh/failed-launch`, so that it outlives the process; a claim that
 * is gone needs to know nothing.
 */
export const reportFailedLaunch = async (
  kube: Pick<ClassKube, 'patch'>,
  { claimName, error }: LateFailure,
  { signal }: CallOptions,
): Promise<void> => {
  const body = { metadata: { annotations: failedLaunchAnnotation(error) } };
  await kube.patch('NodeClaim', { name: claimName }, { type: 'merge', body, signal });
};
