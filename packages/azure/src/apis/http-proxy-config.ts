/** `spec.httpProxyConfig`: how nodes reach what is outside the cluster. Members are named as AKS names them. */
export interface HTTPProxyConfig {
  /** `http://proxy.example:3128` */
  readonly httpProxy?: string;
  /** Absent: `httpProxy`. */
  readonly httpsProxy?: string;
  /** Hosts, domains with a leading dot, addresses and CIDRs that are reached directly. */
  readonly noProxy?: readonly string[];
  /** Base64 of the PEM certificate of the proxy's own authority. */
  readonly trustedCa?: string;
}
