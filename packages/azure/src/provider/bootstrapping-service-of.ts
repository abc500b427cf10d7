import type { TokenCredential } from '@azure/core-auth';
import type { AzureEnvironment } from '../arm/azure-environment.ts';
import { type NodeBootstrappingService, nodeBootstrappingService } from '../arm/calls/node-bootstrapping.ts';
import type { AzureOptions } from '../options/index.ts';

interface ServiceSource {
  readonly options: AzureOptions;
  readonly environment: AzureEnvironment;
  readonly credential: TokenCredential;
  readonly clock: { now(): number };
  readonly caPem?: string | undefined;
}

/** The service of AKS that writes user data. Undefined: the mode needs none. */
export const bootstrappingServiceOf = ({
  options,
  environment,
  credential,
  clock,
  caPem,
}: ServiceSource): NodeBootstrappingService | undefined => {
  const { provisioning, subscriptionId, clusterName, kubeletBootstrapToken } = options;
  if (provisioning.kind !== 'bootstrappingclient') return undefined;
  return nodeBootstrappingService({
    serverUrl: provisioning.serverUrl,
    cluster: { subscriptionId, resourceGroup: provisioning.clusterResourceGroup, name: clusterName },
    scope: `${environment.tokenAudience}/.default`,
    bootstrapToken: kubeletBootstrapToken,
    ...{ credential, clock, caPem },
  });
};
