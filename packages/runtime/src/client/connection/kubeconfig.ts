import type { ClusterConnection } from './connection.ts';
import type { KubeConfigOptions } from './kubeconfig-error.ts';

export { KubeConfigError, type KubeConfigOptions } from './kubeconfig-error.ts';
export { type KubeconfigParts, kubeconfigOf } from './kubeconfig-of.ts';
export { OidcError } from './oidc-token.ts';

/**
 * The connection that a kubeconfig describes: certificates, tokens, exec plugins, OIDC.
 *
 * Errors: KubeConfigError; OidcError, of `credentials` too. A 401 reads the file again and runs the exec plugin again.
 */
export const loadKubeConfig = async (options: KubeConfigOptions = {}): Promise<ClusterConnection> => {
  const { readKubeConfig } = await import('./kubeconfig-reader.ts');
  return readKubeConfig(options);
};
