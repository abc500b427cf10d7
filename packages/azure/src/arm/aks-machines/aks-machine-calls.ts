import type { Clock } from '@karpenter/runtime';
import { aksMachineWrittenAgain } from './aks-machine-rewrite.ts';
import type { MachineBatching } from '../../options/index.ts';
import { type AgentPoolLine, agentPoolLine, type AgentPoolScope } from './agent-pool-line.ts';
import type { AksMachineApi } from './aks-machine-api.ts';
import { aksMachineBatch } from './aks-machine-batch.ts';
import { aksMachinePut, SPOT_SYSTEM_NODES } from './aks-machine-put.ts';
import { aksMachineReads } from './aks-machine-reads.ts';
import type { ArmClients } from '../arm-clients.ts';
import { ArmError } from '../arm-error.ts';

/** There is no machine left of those that were named. */
const isGone = (error: unknown): boolean =>
  error instanceof ArmError &&
  (error.code === 'not-found' || (error.armCode === 'InvalidParameter' && /no valid machines/i.test(error.message)));

type Writes = Pick<AksMachineApi, 'tagMachine' | 'deleteMachine'>;

const writesOf = ({ send, at, call }: AgentPoolLine): Writes => ({
  tagMachine: async (machine, tags, signal) => {
    const { eTag } = machine.properties;
    const body = aksMachineWrittenAgain(machine, tags);
    const headers = { ...(eTag !== undefined && { 'If-Match': eTag }), ...SPOT_SYSTEM_NODES };
    await call(() => send({ method: 'PUT', url: at(`machines/${machine.name}`), body, headers }, signal));
  },
  deleteMachine: async (name, signal) => {
    try {
      await call(() => send({ method: 'POST', url: at('deleteMachines'), body: { machineNames: [name] } }, signal));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  },
});

/** The machines of an agent pool by the AKS machine API. `batching` absent: one request for each. */
export const aksMachineCalls = (
  clients: ArmClients,
  { batching, ...scope }: AgentPoolScope & { readonly batching?: MachineBatching | undefined },
  clock: Clock,
): AksMachineApi => {
  const line = agentPoolLine(clients, scope, clock);
  const { byName, untilNamed, ...reads } = aksMachineReads(line, clock);
  const known = { ...reads, ...writesOf(line), namedMachine: untilNamed, hasPool: line.isThere };
  const others = { ...known, untilNamed };
  const alone = aksMachinePut(line, others);
  return { ...known, putMachine: batching === undefined ? alone : aksMachineBatch({ line, alone, byName, others, batching, clock }) };
};
