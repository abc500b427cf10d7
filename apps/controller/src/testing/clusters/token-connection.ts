import { readFileSync } from 'node:fs';
import type { ClusterConnection } from '@karpenter/runtime';
import { parse } from 'yaml';

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string; readonly 'certificate-authority-data'?: string } }];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

/**
 * How the controller of this process reaches the cluster of a kubeconfig with a token. The product reads kubeconfigs by
 * a module that it imports when one is to be read; jest refuses such an import while it is between two tests, and so
 * now and then in tests that run at once.
 */
export const tokenConnection = (kubeconfigPath: string): ClusterConnection => {
  const config = parse(readFileSync(kubeconfigPath, 'utf8')) as Kubeconfig;
  const [{ cluster }] = config.clusters;
  const [{ user }] = config.users;
  const authority = cluster['certificate-authority-data'];
  return {
    server: cluster.server,
    tls: authority === undefined ? {} : { ca: Buffer.from(authority, 'base64').toString('utf8') },
    credentials: { headers: () => Promise.resolve({ authorization: `Bearer ${user.token}` }), refresh: () => Promise.resolve() },
  };
};
