import { agentPoolOf } from '../options/index.ts';
import { guarded, type Preflight } from './preflight-context.ts';
import type { PreflightFinding } from './report.ts';

/** AKS makes such pools by its REST API only. */
const API_VERSION = '2025-07-01';

/** Whether the agent pool of the machines is there: to the controller one that is not looks like one without machines. */
export const agentPoolChecks = async ({ options, reach }: Preflight, signal: AbortSignal): Promise<readonly PreflightFinding[]> => {
  const pool = agentPoolOf(options);
  if (pool === undefined) return [];
  const group = `/subscriptions/${options.subscriptionId}/resourceGroups/${pool.clusterResourceGroup}`;
  const subject = `${group}/providers/Microsoft.ContainerService/managedClusters/${options.clusterName}/agentPools/${pool.poolName}`;
  return guarded({ check: 'agent-pool', subject }, async () => {
    if (await reach.hasAgentPool(pool, signal)) return [{ check: 'agent-pool', subject, status: 'passed', message: 'it is there' }];
    const body = JSON.stringify({ properties: { mode: 'Machines' } });
    const remedy = `az rest --method put --url '${subject}?api-version=${API_VERSION}' --body '${body}'`;
    return [{ check: 'agent-pool', subject, status: 'failed', message: 'there is no such agent pool, or no such cluster', remedy }];
  });
};
