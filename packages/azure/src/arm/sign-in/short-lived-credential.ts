import type { TokenCredential } from '@azure/core-auth';

const LONGEST_MS = 2 * 3_600_000;

/**
 * The credential, whose tokens never last longer than two hours: a managed identity's are good for a day, and one that
 * lost or gained a role would be judged by the old one until then. By the wall clock, as the SDK that asks. Source: the
 * original's `pkg/auth/cred.go`.
 */
export const shortLived = (credential: TokenCredential): TokenCredential => ({
  getToken: async (scopes, options) => {
    const token = await credential.getToken(scopes, options);
    return token && { ...token, expiresOnTimestamp: Math.min(token.expiresOnTimestamp, Date.now() + LONGEST_MS) };
  },
});
