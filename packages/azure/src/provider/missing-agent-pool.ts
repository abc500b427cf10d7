import { type AgentPool, agentPoolOf, type AzureOptions } from '../options/index.ts';

/** AKS makes such pools by its REST API only. */
const API_VERSION = '2025-07-01';
const BODY = JSON.stringify({ properties: { mode: 'Machines' } });

/** ARM id of an agent pool. */
export const agentPoolIdOf = ({ subscriptionId, clusterName }: AzureOptions, { clusterResourceGroup, poolName }: AgentPool): string =>
  `/subscriptions/${subscriptionId}/resourceGroups/${clusterResourceGroup}` +
  `/providers/Microsoft.ContainerService/managedClusters/${clusterName}/agentPools/${poolName}`;

/** The command that makes an agent pool for machines. */
export const agentPoolRemedy = (poolId: string): string =>
  `az rest --method put --url '${poolId}?api-version=${API_VERSION}' --body '${BODY}'`;

/**
 * What the log says at the start about an agent pool that is not there: the controller cannot distinguish it from one
 * without machines.
 */
export const missingPoolWarning = (
  options: AzureOptions,
): { readonly message: string; readonly fields: Readonly<Record<string, string>> } => {
  const pool = agentPoolOf(options);
  const id = pool === undefined ? '' : agentPoolIdOf(options, pool);
  return {
    message:
      'there is no agent pool of the name in --aks-machines-pool-name (AKS_MACHINES_POOL_NAME), or no such cluster: no machine can be made in it',
    fields: { pool: id, remedy: agentPoolRemedy(id) },
  };
};
