import { agentPoolOf } from '../options/index.ts';
import { agentPoolIdOf, agentPoolRemedy } from '../provider/missing-agent-pool.ts';
import { type CheckContext, findingsOf } from './preflight-context.ts';
import type { PreflightFinding } from './report.ts';

/** Whether the agent pool of the machines is there: the controller cannot distinguish a missing one from an empty one. */
export const agentPoolChecks = async (context: CheckContext, signal: AbortSignal): Promise<readonly PreflightFinding[]> => {
  const { options, reach } = context;
  const pool = agentPoolOf(options);
  if (pool === undefined) return [];
  const subject = agentPoolIdOf(options, pool);
  return findingsOf({ check: 'agent-pool', subject, context }, async () => {
    if (await reach.hasAgentPool(pool, signal)) return [{ check: 'agent-pool', subject, status: 'passed', message: 'it is there' }];
    const message = 'there is no such agent pool, or no such cluster';
    return [{ check: 'agent-pool', subject, status: 'failed', message, remedy: agentPoolRemedy(subject) }];
  });
};
