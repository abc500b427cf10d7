import type { ClusterConnection } from '@karpenter/runtime';
import { parse } from 'yaml';
import type { TestCluster } from './test-cluster.ts';

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly 'certificate-authority-data'?: string } }];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

/**
 * How the controller of this process reaches the cluster. The product reads kubeconfigs by a module that it imports when one is to be read;
 * jest refuses such an import while it is between two tests, and so now and then in tests that run at once.
 */
export const connectionOf = (cluster: TestCluster): ClusterConnection => {
  const config = parse(cluster.kubeconfig()) as Kubeconfig;
  const [{ cluster: place }] = config.clusters;
  const [{ user }] = config.users;
  const authority = place['certificate-authority-data'];
  return {
    server: cluster.apiUrl,
    tls: authority === undefined ? {} : { ca: Buffer.from(authority, 'base64').toString('utf8') },
    credentials: { headers: () => Promise.resolve({ authorization: `Bearer ${user.token}` }), refresh: () => Promise.resolve() },
  };
};
