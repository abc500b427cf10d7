import { CloudProviderError } from '@karpenter/core';
import type { ArmError } from '../arm-error.ts';
import { isOfBusyResource } from './busy-resource.ts';

const isBusy = (error: ArmError): boolean => [error.armCode, ...error.inner.map(({ code }) => code)].some(isOfBusyResource);

const reasonOf = (error: ArmError): string => (isBusy(error) ? 'ResourceBusy' : 'Throttled');

/** Which resource is busy stands in the details only. */
const innermostOf = (error: ArmError): string => (isBusy(error) ? (error.inner[0]?.message ?? error.message) : error.message);

/** Code of Azure → reason, where a person has to act on the subscription itself. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['RequestDisallowedByPolicy', 'DisallowedByPolicy'],
  ['ScopeLocked', 'ScopeLocked'],
]);

const reasonFor = ({ armCode }: ArmError, otherwise: string): string => REASONS.get(armCode) ?? otherwise;

/** The error for core of a call that is not a launch. The error of a call that was not sent says so itself. */
export const cloudProviderErrorOf = (error: ArmError): CloudProviderError => {
  if (error.cause instanceof CloudProviderError) return error.cause;
  const details = { cause: error, ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }) };
  switch (error.code) {
    case 'throttled':
      return new CloudProviderError('throttled', innermostOf(error), { ...details, reason: reasonOf(error) });
    case 'forbidden':
      return new CloudProviderError('forbidden', error.message, { ...details, reason: reasonFor(error, 'Forbidden') });
    case 'network':
    case 'server':
      return new CloudProviderError('network', error.message, { ...details, reason: 'AzureUnreachable' });
    case 'not-found':
    case 'refused':
      return new CloudProviderError('launch-failed', error.message, {
        ...details,
        reason: reasonFor(error, 'CreateInstanceFailed'),
      });
  }
};
