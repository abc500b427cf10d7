import { failedLaunchOf } from '@karpenter/core';
import type { FailedLaunch } from '@karpenter/core/internal';
import type { AzureWorld } from './azure-world.ts';

/** The report to core of a launch that failed after Azure had accepted it; undefined before the report. */
export const failedLaunchIn = ({ cluster }: Pick<AzureWorld, 'cluster'>, claimName: string): FailedLaunch | undefined => {
  const claim = cluster.objects.get(`NodeClaim/${claimName}`);
  return claim && failedLaunchOf(claim);
};
