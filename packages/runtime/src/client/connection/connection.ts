/** What a TLS connection to the API server needs, as PEM text. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: string;
  /** The name that the server's certificate must carry when it is not the host of the URL. */
  readonly serverName?: string;
  /** Accept any certificate. */
  readonly insecure?: boolean;
}

/** Where a request's credentials come from. */
export interface CredentialSource {
  /**
   * Headers that are valid as far as the source knows: `authorization`, impersonation. Called for every request: it
   * must be cheap.
   */
  headers(): Promise<Readonly<Record<string, string>>>;
  /** Called when the server answered 401: the next `headers()` must not be served from a cache. */
  refresh(): Promise<void>;
}

/** How to reach and convince one API server. */
export interface ClusterConnection {
  /** URL without a trailing slash, `https://host:port` or with a path prefix. */
  readonly server: string;
  readonly tls: TlsMaterial;
  /** Reads the TLS files again; asked at most once a minute. Left out when the material never changes. */
  readonly reloadTls?: () => Promise<TlsMaterial>;
  readonly credentials?: CredentialSource;
  /** The namespace of the context or of the pod, where one is known. */
  readonly namespace?: string;
}
