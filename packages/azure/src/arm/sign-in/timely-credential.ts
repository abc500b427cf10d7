import type { TokenCredential } from '@azure/core-auth';
import { answeredInTime } from '../calls/answered-in-time.ts';

/**
 * The credential, whose tokens come within a minute or not at all: the SDK has all calls wait for one token, and would
 * wait for ever.
 */
export const timelyCredential = (credential: TokenCredential, patienceMs?: number): TokenCredential => ({
  getToken: (scopes, options) =>
    answeredInTime('the sign-in to Azure', (abortSignal) => credential.getToken(scopes, { ...options, abortSignal }), {
      signal: options?.abortSignal as AbortSignal | undefined,
      patienceMs,
    }),
});
