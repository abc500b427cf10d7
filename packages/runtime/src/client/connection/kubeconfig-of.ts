/** A server, and a user of it. */
export interface KubeconfigParts {
  /** What cluster, user and context are called. */
  readonly name: string;
  readonly url: string;
  readonly token: string;
  /** The certificate authority that the server's certificate is from, in PEM; absent where it needs none. */
  readonly ca?: string;
}

/** A kubeconfig with one cluster, one user and one context: a line of YAML for each member. */
export const kubeconfigOf = ({ name, url, token, ca }: KubeconfigParts): string =>
  Object.entries({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [
      { name, cluster: { server: url, ...(ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }) } },
    ],
    users: [{ name, user: { token } }],
  })
    .map(([member, value]) => `${member}: ${JSON.stringify(value)}\n`)
    .join('');
