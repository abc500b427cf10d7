import type { Clock } from '@karpenter/core/controllers';
import type { AksMachine } from '../machines/aks-machine.ts';
import { type AgentPoolLine, agentPoolLine, type AgentPoolScope } from './agent-pool-line.ts';
import type { AksMachineApi } from './aks-machine-api.ts';
import { type AksMachineReads, aksMachineReads } from './aks-machine-reads.ts';
import type { ArmClients } from './arm-clients.ts';
import { ArmError } from './arm-error.ts';

/** There is no machine left of those that were named. */
const isGone = (error: unknown): boolean =>
  error instanceof ArmError &&
  (error.code === 'not-found' || (error.armCode === 'InvalidParameter' && /no valid machines/i.test(error.message)));

const writesOf = ({ send, at, call }: AgentPoolLine): Omit<AksMachineApi, keyof AksMachineReads> => ({
  putMachine: async (name, body, signal) => {
    try {
      const headers = { 'If-None-Match': '*', AllowSpotVMSystemNode: 'true' };
      return await call(() => send<AksMachine>({ method: 'PUT', url: at(`machines/${name}`), body, headers }, signal));
    } catch (error) {
      if (error instanceof ArmError && error.status === 412) return 'exists';
      throw error;
    }
  },
  tagMachine: async ({ name, zones, properties }, tags, signal) => {
    const { provisioningState: _state, resourceId: _id, status: _status, eTag, ...settings } = properties;
    const body = { ...(zones && { zones }), properties: { ...settings, tags } };
    const headers = { ...(eTag !== undefined && { 'If-Match': eTag }), AllowSpotVMSystemNode: 'true' };
    await call(() => send({ method: 'PUT', url: at(`machines/${name}`), body, headers }, signal));
  },
  deleteMachine: async (name, signal) => {
    try {
      await call(() => send({ method: 'POST', url: at('deleteMachines'), body: { machineNames: [name] } }, signal));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  },
});

/** The machines of an agent pool by the AKS machine API. */
export const aksMachineCalls = (clients: ArmClients, scope: AgentPoolScope, clock: Clock): AksMachineApi => {
  const line = agentPoolLine(clients, scope, clock);
  return { ...aksMachineReads(line, clock), ...writesOf(line) };
};
