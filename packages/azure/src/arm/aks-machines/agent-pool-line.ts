import type { Logger } from '@karpenter/runtime';
import { AKS_API_VERSION } from '../api-versions/api-versions.ts';
import type { ArmClients } from '../arm-clients.ts';
import { type AnswerReader, answerReader } from '../calls/answer-reader.ts';
import { type GuardedCalls, guardedCalls } from '../calls/guarded-calls.ts';
import { type JsonCalls, jsonCalls } from '../calls/json-calls.ts';

/** Where the machines are. */
export interface AgentPoolScope {
  readonly subscriptionId: string;
  readonly clusterResourceGroup: string;
  readonly clusterName: string;
  readonly poolName: string;
  /** Logs the parts of responses that cannot be parsed; absent: they are not logged. */
  readonly logger?: Logger | undefined;
}

/** How the machines of one agent pool are requested and read. */
export interface AgentPoolLine extends GuardedCalls {
  /** Throws the SDK's own errors: run it by `call` or `find`. */
  readonly send: JsonCalls;
  /** The URL of something in the pool: `machines/general-x7k2p`. */
  readonly at: (path: string) => string;
  readonly readAll: AnswerReader;
  /** False: there is no such pool, or no such cluster. The list of a pool without machines is the same. */
  readonly isThere: (signal: AbortSignal) => Promise<boolean>;
}

export const agentPoolLine = (clients: ArmClients, scope: AgentPoolScope, clock: { now(): number }): AgentPoolLine => {
  const pool =
    `${clients.endpoint}/subscriptions/${scope.subscriptionId}/resourceGroups/${scope.clusterResourceGroup}` +
    `/providers/Microsoft.ContainerService/managedClusters/${scope.clusterName}/agentPools/${scope.poolName}`;
  const [calls, send] = [guardedCalls(clock), jsonCalls(clients)];
  const at = (path: string): string => `${pool}/${path}?api-version=${AKS_API_VERSION}`;
  return {
    ...{ ...calls, send, at, readAll: answerReader(scope.logger) },
    isThere: async (signal) => (await calls.find(() => send({ method: 'GET', url: at('machines') }, signal))) !== undefined,
  };
};
