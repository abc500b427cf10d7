import type { HTTPProxyConfig } from '../apis/index.ts';

/**
 * Never reached through a proxy: the node itself, Azure's virtual address and the metadata of the machine. Source: AKS,
 * "HTTP proxy".
 */
const ALWAYS_DIRECT = ['localhost', '127.0.0.1', '168.63.129.16', '169.254.169.254'];

const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;

/** Assignments that the scripts of the image evaluate, so that their own downloads take the proxy. */
const assignmentsOf = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `export ${name}=${quoted(value)};`)
    .join(' ');

/**
 * Name → value of the variables by which a node reaches the world through a proxy: kubelet, containerd and the scripts
 * of the image. Without `httpsProxy` the other one counts for both. Source: AgentBaker, `configureEtcEnvironment` and
 * `GetProxyVariables`.
 */
export const httpProxyVariables = (config: HTTPProxyConfig, apiServerName: string): Readonly<Record<string, string>> => {
  const { httpProxy = '', httpsProxy = httpProxy, noProxy = [], trustedCa = '' } = config;
  const direct = [...new Set([...noProxy, ...ALWAYS_DIRECT, apiServerName])].sort().join(',');
  return {
    SHOULD_CONFIGURE_HTTP_PROXY: 'true',
    HTTP_PROXY_URLS: httpProxy,
    HTTPS_PROXY_URLS: httpsProxy,
    NO_PROXY_URLS: direct,
    PROXY_VARS: assignmentsOf({ HTTPS_PROXY: httpsProxy, NO_PROXY: direct, http_proxy: httpProxy }),
    ...(trustedCa !== '' && { SHOULD_CONFIGURE_HTTP_PROXY_CA: 'true', HTTP_PROXY_TRUSTED_CA: trustedCa }),
  };
};

/**
 * Name → value of the variables by which a node trusts certificates of the user. Source: AgentBaker,
 * `configureCustomCaCertificate`.
 */
export const customCaVariables = (certificates: readonly string[]): Readonly<Record<string, string>> => {
  if (certificates.length === 0) return {};
  const each = certificates.map((certificate, index) => [`CUSTOM_CA_CERT_${index}`, certificate] as const);
  return {
    SHOULD_CONFIGURE_CUSTOM_CA_TRUST: 'true',
    CUSTOM_CA_TRUST_COUNT: String(certificates.length),
    ...Object.fromEntries(each),
  };
};
