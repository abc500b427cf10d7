import { startArmEmulator } from '@karpenter/azure-emulator';
import { startApiServer } from '@karpenter/api-server';
import { scaledClock, systemClock } from '@karpenter/runtime';
import { clusterOver } from './cluster-over.ts';
import type { EmbeddedCluster, EmbeddedClusterOptions } from './embedded-cluster.ts';

/**
 * Starts a cluster in this process: the Kubernetes API over HTTP, a control plane, kubelets, and an Azure over HTTPS
 * whose VMs become its nodes. Nothing global: many fit into one process.
 *
 * Errors: what ports, files and manifests refuse is thrown as it comes; nothing is left running then.
 */
export const startEmbeddedCluster = async (options: EmbeddedClusterOptions = {}): Promise<EmbeddedCluster> => {
  const { clock: base = systemClock, speed = 1, port, azure = {}, authorization, ownerReferencesPermissionEnforcement } = options;
  const clock = speed === 1 ? base : scaledClock(base, speed);
  const server = await startApiServer({ clock, port, authorization, ownerReferencesPermissionEnforcement });
  try {
    const arm = azure === false ? undefined : await startArmEmulator({ ...azure, clock });
    return clusterOver({ server, arm, clock }, options);
  } catch (error) {
    await server.close();
    throw error;
  }
};
