import { StartError } from '@karpenter/core/provider-kit';
import { type ClusterConnection, inClusterConnection, systemClock } from '@karpenter/runtime';
import { KubeConfigError, loadKubeConfig, OidcError } from '@karpenter/runtime/kubeconfig';
import type { Settings } from './settings/options.ts';

const find = async ({ kubeconfig }: Pick<Settings, 'kubeconfig'>): Promise<ClusterConnection> => {
  if (kubeconfig !== '') return loadKubeConfig({ path: kubeconfig });
  return (await inClusterConnection({ clock: systemClock, env: process.env })) ?? loadKubeConfig();
};

/**
 * The API server: of the kubeconfig that was named, of the pod this runs in, or else of the kubeconfig that kubectl would use.
 * Errors: StartError.
 */
export const connectionOf = async (settings: Pick<Settings, 'kubeconfig'>): Promise<ClusterConnection> => {
  try {
    return await find(settings);
  } catch (error) {
    if (error instanceof KubeConfigError || error instanceof OidcError) throw new StartError(error.message, { cause: error });
    throw error;
  }
};
