import type { Logger } from '@karpenter/runtime';
import type { ApiVersions } from '../arm/api-versions/api-versions.ts';
import { ArmError } from '../arm/arm-error.ts';
import type { OfferedProvider, SubscriptionApi } from '../arm/subscription-api.ts';
import { agentPoolOf, type AzureOptions } from '../options/index.ts';

export interface OfferedVersionsSource {
  readonly subscription: Pick<SubscriptionApi, 'readProvider'>;
  readonly versions: ApiVersions;
  readonly options: AzureOptions;
  readonly logger: Logger;
}

/** Providers whose resources are read or written. */
export const providersNeededBy = (options: AzureOptions): readonly string[] => [
  'Microsoft.Compute',
  'Microsoft.Network',
  ...(agentPoolOf(options) !== undefined || options.sharedGalleries !== undefined ? ['Microsoft.ContainerService'] : []),
];

/** Makes the versions of a provider known to calls. */
export const learnProvider = (versions: ApiVersions, { namespace, types }: OfferedProvider): void => {
  for (const { type, apiVersions } of types) versions.learn(`${namespace}/${type}`, apiVersions);
};

/**
 * Reads once which api-versions the subscription offers. A failure is no reason not to start: the identity may not be
 * allowed to read them, and calls learn them from refusals too.
 */
export const readOfferedVersions = async (source: OfferedVersionsSource, signal: AbortSignal): Promise<void> => {
  const { subscription, versions, options, logger } = source;
  const read = async (namespace: string): Promise<void> => {
    try {
      const provider = await subscription.readProvider(namespace, signal);
      if (provider?.isRegistered !== true) {
        logger.warn('the subscription is not registered for a resource provider that is needed', {
          namespace,
          remedy: provider === undefined ? 'none: this Azure does not have it' : `az provider register --namespace ${namespace}`,
        });
      }
      if (provider !== undefined) learnProvider(versions, provider);
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      logger.debug('the api-versions of a resource provider cannot be read', { namespace, reason: error.message });
    }
  };
  await Promise.all(providersNeededBy(options).map(read));
};
