import { type FailedLaunch, failedLaunchOf } from '@karpenter/core';
import type { AzureWorld } from './azure-world.ts';

/** What core is told of a launch that failed after Azure had accepted it; undefined while it is told nothing. */
export const failedLaunchIn = ({ cluster }: Pick<AzureWorld, 'cluster'>, claimName: string): FailedLaunch | undefined => {
  const claim = cluster.objects.get(`NodeClaim/${claimName}`);
  return claim && failedLaunchOf(claim);
};
