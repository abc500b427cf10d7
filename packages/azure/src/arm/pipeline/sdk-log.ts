import type { LogPolicyOptions } from '@azure/core-rest-pipeline';
import type { Logger } from '@karpenter/runtime';

type SdkLogger = NonNullable<LogPolicyOptions['logger']>;

const HARMLESS_HEADERS = [
  'azure-asyncoperation',
  'x-ms-correlation-request-id',
  'x-ms-ratelimit-remaining-subscription-reads',
  'x-ms-ratelimit-remaining-subscription-writes',
  'x-ms-ratelimit-remaining-subscription-deletes',
];

const sdkLogger = (logger: Logger): SdkLogger => {
  const write = (...said: readonly unknown[]): void => logger.debug('azure sdk', { said: said.join(' ') });
  return Object.assign(write, { enabled: true, namespace: 'azure', log: write, destroy: () => true, extend: () => sdkLogger(logger) });
};

/**
 * What the SDK says of every call, as lines of our log at the level `debug`. The SDK leaves out bodies, and each header
 * and parameter that it does not know to be harmless: tokens, keys and user data are never among them.
 */
export const sdkLogging = (logger: Logger): LogPolicyOptions => ({
  logger: sdkLogger(logger),
  additionalAllowedHeaderNames: HARMLESS_HEADERS,
});
