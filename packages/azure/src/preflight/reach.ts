import type { TokenCredential } from '@azure/core-auth';
import type { PipelinePolicy } from '@azure/core-rest-pipeline';
import { epochMsOf } from '@karpenter/core';
import type { Clock, Logger } from '@karpenter/runtime';
import { agentPoolLine } from '../arm/aks-machines/agent-pool-line.ts';
import type { ArmApi } from '../arm/arm-api.ts';
import { type ApiVersions, apiVersions, type VersionFallback } from '../arm/api-versions/api-versions.ts';
import { armClients } from '../arm/arm-clients.ts';
import { type AzureEnvironment, azureEnvironmentOf } from '../arm/azure-environment.ts';
import type { NodeBootstrappingService } from '../arm/calls/node-bootstrapping.ts';
import { createArmApi } from '../arm/create-arm-api.ts';
import { type EgressApi, egressApi } from '../arm/egress-api.ts';
import { fetchAuxiliaryToken } from '../arm/pipeline/auxiliary-token-policy.ts';
import { armErrorOf } from '../arm/error-codes/arm-error-of.ts';
import { credentialOf, type IdentityVariables } from '../arm/sign-in/credential.ts';
import { type SubscriptionApi, subscriptionApi } from '../arm/subscription-api.ts';
import type { AgentPool, AzureOptions } from '../options/index.ts';
import { bootstrappingServiceOf } from '../provider/bootstrapping-service-of.ts';

export interface ReachSource {
  readonly options: AzureOptions;
  /** `AZURE_CLIENT_ID` and its like. */
  readonly variables: IdentityVariables;
  readonly clock: Clock;
  /** Logs the parts of responses that cannot be parsed; absent: they are not logged. */
  readonly logger?: Logger | undefined;
  /** Also trusted on calls to Azure. */
  readonly caPem?: string | undefined;
}

/** Azure as a controller with these options would meet it. */
export interface Reach {
  readonly environment: AzureEnvironment;
  readonly credential: TokenCredential;
  readonly arm: ArmApi;
  readonly subscription: SubscriptionApi;
  readonly egress: EgressApi;
  readonly versions: ApiVersions;
  readonly fallbacks: readonly VersionFallback[];
  /** Whether AKS knows the pool. Throws `ArmError`. */
  readonly hasAgentPool: (pool: AgentPool, signal: AbortSignal) => Promise<boolean>;
  /** Undefined: the mode needs none. */
  readonly bootstrapping: NodeBootstrappingService | undefined;
  /** Gets a token for the shared image galleries. Throws `ArmError`. Undefined: the options name no server of such tokens. */
  readonly imageToken: (() => Promise<void>) | undefined;
  /** By how much Azure's clock is ahead of ours; undefined until it has answered. */
  readonly skewMs: () => number | undefined;
}

/** Azure's clock, by the `Date` of its answers, whole seconds. */
const dateWatch = (clock: { now(): number }) => {
  let skewMs: number | undefined;
  const policy: PipelinePolicy = {
    name: 'karpenterDateWatch',
    async sendRequest(request, next) {
      const response = await next(request);
      const atMs = epochMsOf(response.headers.get('date'));
      if (atMs !== undefined) skewMs = atMs - clock.now();
      return response;
    },
  };
  return { policy, skewMs: () => skewMs };
};

const imageTokenOf = ({ options, clock, caPem }: ReachSource, { tokenAudience }: AzureEnvironment): Reach['imageToken'] => {
  const tokenServerUrl = options.sharedGalleries?.tokenServerUrl;
  if (tokenServerUrl === undefined) return undefined;
  return async () => {
    try {
      await fetchAuxiliaryToken({ tokenServerUrl, scope: `${tokenAudience}/.default`, clock, caPem });
    } catch (error) {
      throw armErrorOf(error, clock.now()) ?? error;
    }
  };
};

/** Throws `AzureEnvironmentError` when the environment file cannot be read. */
export const reachOf = (source: ReachSource): Reach => {
  const { options, clock, caPem, logger } = source;
  const environment = azureEnvironmentOf(options.cloud);
  const credential = credentialOf({ environment, tenantId: options.tenantId, ...source });
  const fallbacks: VersionFallback[] = [];
  const versions = apiVersions({ chosen: options.apiVersions, onFallback: (fallback) => void fallbacks.push(fallback) });
  const { subscriptionId, sharedGalleries } = options;
  const clients = armClients({ environment, subscriptionId, credential, clock, sharedGalleries, caPem, apiVersions: versions });
  const { policy, skewMs } = dateWatch(clock);
  clients.resources.pipeline.addPolicy(policy, { afterPhase: 'Sign' });
  const retailPricesUrl = options.retailPricesUrl ?? environment.retailPricesEndpoint;
  return {
    ...{ environment, credential, versions, fallbacks, skewMs },
    arm: createArmApi(clients, { ...options, retailPricesUrl, caPem, logger }, clock),
    subscription: subscriptionApi(clients, subscriptionId, clock),
    egress: egressApi(clients, clock),
    bootstrapping: bootstrappingServiceOf({ options, environment, credential, clock, caPem }),
    imageToken: imageTokenOf(source, environment),
    hasAgentPool: (pool, signal) => agentPoolLine(clients, { ...options, ...pool, logger }, clock).isThere(signal),
  };
};
