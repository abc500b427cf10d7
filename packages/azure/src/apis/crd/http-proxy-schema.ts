import type { JsonSchema } from '@karpenter/core';

/**
 * Scripts on the node evaluate the URL, and systemd takes `%` for its own: neither a shell nor systemd may find more in
 * it than text.
 */
const url = (schemes: string): string => `^${schemes}://[A-Za-z0-9._~:@/\\[\\]-]+$`;
const NO_PROXY_PATTERN = '^\\.?[A-Za-z0-9\\[]([A-Za-z0-9.:/_\\]-]*[A-Za-z0-9\\]])?$';

/** Base64 of text that begins with `-----BEGIN CERTIFICATE-----`. */
const CERTIFICATE_PATTERN = '^LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t[A-Za-z0-9+/]+={0,2}$';

/** A certificate as AKS takes it: base64 of its PEM. */
export const certificateSchema = (description: string, maxLength: number): JsonSchema => ({
  ...{ type: 'string', maxLength, pattern: CERTIFICATE_PATTERN, description },
});

/** `spec.httpProxyConfig` of an AKSNodeClass. */
export const httpProxySchema: JsonSchema = {
  type: 'object',
  description: 'HTTP proxy of the nodes. Only in the provision mode aksscriptless; AKS takes that of the cluster elsewhere.',
  properties: {
    httpProxy: { type: 'string', maxLength: 1024, pattern: url('http'), description: 'Proxy for HTTP; its own scheme is http.' },
    httpsProxy: { type: 'string', maxLength: 1024, pattern: url('https?'), description: 'Proxy for HTTPS; default is httpProxy.' },
    noProxy: {
      type: 'array',
      maxItems: 200,
      items: { type: 'string', maxLength: 253, pattern: NO_PROXY_PATTERN },
      description:
        'Hosts, domains with a leading dot, addresses and CIDRs that nodes reach directly; the API server and the machine itself always are.',
    },
    trustedCa: certificateSchema('Base64 of the PEM certificate of the authority that the proxy signs with.', 8192),
  },
  'x-kubernetes-validations': [
    { rule: 'has(self.httpProxy) || has(self.httpsProxy)', message: 'httpProxyConfig requires httpProxy or httpsProxy' },
  ],
};
