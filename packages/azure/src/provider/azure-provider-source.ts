import type { Metrics } from '@karpenter/core/controllers';
import type { Clock, Logger, EventRecorder } from '@karpenter/runtime';
import type { IdentityVariables } from '../arm/sign-in/credential.ts';
import type { AzureOptions } from '../options/index.ts';
import type { AzureKube } from './azure-kube.ts';

/** What the provider is made of. */
export interface AzureProviderSource {
  readonly options: AzureOptions;
  /** Reads may be served by caches; they are on the hot path. Its table must hold `azureKinds`. */
  readonly kube: AzureKube;
  /** Base64 of PEM: whom the controller's own connection trusts; nodes will too, unless the options say otherwise. */
  readonly caBundle: string;
  /** `gitVersion` of the API server. */
  readonly serverVersion: (signal: AbortSignal) => Promise<string>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly metrics: Pick<Metrics, 'counter' | 'gauge'>;
  /** `AZURE_CLIENT_ID` and its like. */
  readonly variables: IdentityVariables;
  /** Also trusted on calls to Azure; absent: what Node trusts, `NODE_EXTRA_CA_CERTS` included. */
  readonly caPem?: string;
}
