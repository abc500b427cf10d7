import { ComputeManagementClient } from '@azure/arm-compute';
import { NetworkManagementClient } from '@azure/arm-network';
import { ResourceGraphClient } from '@azure/arm-resourcegraph';
import { ResourceManagementClient } from '@azure/arm-resources';
import type { TokenCredential } from '@azure/core-auth';
import type { Pipeline } from '@azure/core-rest-pipeline';
import type { CircuitBreaker } from '@karpenter/core/provider-kit';
import type { Clock, Logger } from '@karpenter/runtime';
import type { SharedGalleries } from '../options/index.ts';
import type { ApiVersions } from './api-versions/api-versions.ts';
import { apiVersionPolicy } from './pipeline/api-version-policy.ts';
import { armCircuits, circuitPolicy } from './pipeline/circuit-policy.ts';
import { auxiliaryTokenPolicy } from './pipeline/auxiliary-token-policy.ts';
import type { AzureEnvironment } from './azure-environment.ts';
import { failedOperationPolicy } from './pipeline/failed-operation-policy.ts';
import { ownHostPolicy } from './pipeline/own-host-policy.ts';
import { refusalPolicy } from './pipeline/refusal-policy.ts';
import { retryPolicy } from './pipeline/retry-policy.ts';
import { sdkLogging } from './pipeline/sdk-log.ts';
import { throttlePolicy } from './pipeline/throttle-policy.ts';
import { timeoutPolicy } from './pipeline/timeout-policy.ts';

/** The SDK's clients for one subscription, which share one throttle and the circuits of its calls. */
export interface ArmClients {
  /** Of Resource Manager. */
  readonly endpoint: string;
  readonly compute: ComputeManagementClient;
  readonly network: NetworkManagementClient;
  readonly graph: ResourceGraphClient;
  readonly resources: ResourceManagementClient;
  readonly circuits: Pick<CircuitBreaker, 'states'>;
}

export interface ArmClientSource {
  readonly environment: AzureEnvironment;
  readonly subscriptionId: string;
  readonly credential: TokenCredential;
  readonly clock: Clock;
  /** Absent: images come from galleries that everybody may read. */
  readonly sharedGalleries?: SharedGalleries | undefined;
  /** Absent: calls are made at the versions that they were written for. */
  readonly apiVersions?: ApiVersions | undefined;
  /** Also trusted; absent: what Node trusts, `NODE_EXTRA_CA_CERTS` included. */
  readonly caPem?: string | undefined;
  /** Logs every call; absent: calls are not logged. */
  readonly sdkLogger?: Logger | undefined;
}

export const USER_AGENT = 'karpenter-aks/v0.1.0';

const optionsOf = ({ environment, caPem, sdkLogger }: ArmClientSource) => ({
  endpoint: environment.resourceManagerEndpoint,
  credentials: { scopes: [`${environment.tokenAudience}/.default`] },
  retryOptions: { maxRetries: 0 },
  userAgentOptions: { userAgentPrefix: USER_AGENT },
  ...(caPem !== undefined && { tlsOptions: { ca: caPem } }),
  ...(sdkLogger !== undefined && { loggingOptions: sdkLogging(sdkLogger) }),
});

export const armClients = (source: ArmClientSource): ArmClients => {
  const { environment, subscriptionId, credential, clock, sharedGalleries, caPem, apiVersions } = source;
  const options = optionsOf(source);
  const circuits = armCircuits(clock);
  const clients: ArmClients = {
    circuits,
    endpoint: environment.resourceManagerEndpoint,
    compute: new ComputeManagementClient(credential, subscriptionId, options),
    network: new NetworkManagementClient(credential, subscriptionId, options),
    graph: new ResourceGraphClient(credential, options),
    resources: new ResourceManagementClient(credential, subscriptionId, options),
  };
  const breaking = circuitPolicy(circuits);
  const throttle = throttlePolicy(clock);
  const prepare = (pipeline: Pipeline): void => {
    pipeline.addPolicy(ownHostPolicy(environment.resourceManagerEndpoint));
    pipeline.addPolicy(refusalPolicy());
    pipeline.addPolicy(retryPolicy(clock), { phase: 'Retry' });
    if (apiVersions !== undefined) {
      pipeline.addPolicy(apiVersionPolicy(apiVersions), { afterPhase: 'Retry', beforePolicies: [breaking.name] });
    }
    pipeline.addPolicy(breaking, { afterPhase: 'Retry' });
    pipeline.addPolicy(throttle, { afterPhase: 'Retry', afterPolicies: [breaking.name] });
    pipeline.addPolicy(failedOperationPolicy(), { afterPhase: 'Retry' });
    pipeline.addPolicy(timeoutPolicy(), { afterPhase: 'Sign' });
  };
  const tokenServerUrl = sharedGalleries?.tokenServerUrl;
  if (tokenServerUrl !== undefined) {
    const tokens = auxiliaryTokenPolicy({ tokenServerUrl, scope: `${environment.tokenAudience}/.default`, clock, caPem });
    clients.compute.pipeline.addPolicy(tokens, { afterPhase: 'Retry' });
  }
  for (const client of [clients.compute, clients.network, clients.graph, clients.resources]) prepare(client.pipeline);
  return clients;
};
