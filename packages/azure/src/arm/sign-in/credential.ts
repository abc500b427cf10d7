import type { TokenCredential } from '@azure/core-auth';
import { ClientSecretCredential, DefaultAzureCredential, WorkloadIdentityCredential } from '@azure/identity';
import { answerInTime } from '../calls/answer-deadline.ts';
import type { AzureEnvironment } from '../azure-environment.ts';

const LONGEST_MS = 2 * 3_600_000;

/**
 * The credential, whose tokens never last longer than two hours. Those of a managed identity are valid for a day: a
 * changed role would count only after that. By the wall clock, as the SDK that asks. Source: the original's
 * `pkg/auth/cred.go`.
 */
export const shortLived = (credential: TokenCredential): TokenCredential => ({
  getToken: async (scopes, options) => {
    const token = await credential.getToken(scopes, options);
    return token && { ...token, expiresOnTimestamp: Math.min(token.expiresOnTimestamp, Date.now() + LONGEST_MS) };
  },
});

/**
 * The credential, whose tokens come within a minute or not at all: the SDK has all calls wait for one token, and would
 * wait for ever.
 */
export const timelyCredential = (credential: TokenCredential, patienceMs?: number): TokenCredential => ({
  getToken: (scopes, options) =>
    answerInTime('the sign-in to Azure', (abortSignal) => credential.getToken(scopes, { ...options, abortSignal }), {
      signal: options?.abortSignal as AbortSignal | undefined,
      patienceMs,
    }),
});

/** `AZURE_CLIENT_ID` and its like. */
export type IdentityVariables = Readonly<Record<string, string | undefined>>;

/** Differs from the SDK's default: the token endpoint may be any host, as in sovereign and private clouds. */
const commonOptions = (environment: AzureEnvironment, caPem: string | undefined) => ({
  authorityHost: environment.activeDirectoryEndpoint,
  // Three tries more within some seconds: a start waits twelve for whatever it asks, and then cannot say who was silent.
  retryOptions: { maxRetries: 3, maxRetryDelayInMs: 1500 },
  disableInstanceDiscovery: !environment.activeDirectoryEndpoint.includes('login.microsoftonline.com'),
  ...(caPem !== undefined && { tlsOptions: { ca: caPem } }),
});

export interface AzureCredentialSource {
  readonly environment: AzureEnvironment;
  readonly tenantId: string | undefined;
  readonly variables: IdentityVariables;
  readonly caPem?: string | undefined;
}

const chosen = ({ environment, tenantId: optionTenant, variables, caPem }: AzureCredentialSource): TokenCredential => {
  const { AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: secret, AZURE_FEDERATED_TOKEN_FILE: tokenFilePath } = variables;
  const tenantId = optionTenant ?? variables.AZURE_TENANT_ID;
  const options = commonOptions(environment, caPem);
  if (clientId && tenantId && tokenFilePath) return new WorkloadIdentityCredential({ ...options, clientId, tenantId, tokenFilePath });
  if (clientId && tenantId && secret) return new ClientSecretCredential(tenantId, clientId, secret, options);
  return new DefaultAzureCredential({ ...options, ...(clientId && { managedIdentityClientId: clientId }) });
};

/**
 * How the controller signs in: workload identity if a token file is mounted, else a client secret if one is set, else
 * what the SDK finds (managed identity, `az login`).
 */
export const credentialOf = (source: AzureCredentialSource): TokenCredential => shortLived(timelyCredential(chosen(source)));
