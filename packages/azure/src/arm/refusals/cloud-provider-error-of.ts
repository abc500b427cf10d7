import { CloudProviderError } from '@karpenter/core';
import type { ArmError } from '../arm-error.ts';

/** For calls that are not a launch: what core is to do. A call that was not made tells that itself. */
export const cloudProviderErrorOf = (error: ArmError): CloudProviderError => {
  if (error.cause instanceof CloudProviderError) return error.cause;
  const details = { cause: error, ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }) };
  switch (error.code) {
    case 'throttled':
      return new CloudProviderError('throttled', error.message, { ...details, reason: 'Throttled' });
    case 'forbidden':
      return new CloudProviderError('forbidden', error.message, { ...details, reason: 'Forbidden' });
    case 'network':
    case 'server':
      return new CloudProviderError('network', error.message, { ...details, reason: 'AzureUnreachable' });
    case 'not-found':
    case 'refused':
      return new CloudProviderError('launch-failed', error.message, { ...details, reason: 'CreateInstanceFailed' });
  }
};
