import type { AgentPoolLine } from './agent-pool-line.ts';
import type { AksMachineApi } from './aks-machine-api.ts';
import { aksMachineIn } from './aks-machine-answer.ts';
import type { AksMachineReads } from './aks-machine-reads.ts';
import { ArmError } from '../arm-error.ts';

export type PutMachine = AksMachineApi['putMachine'];

/** Lets machines of the mode `System` be spot machines too. */
export const SPOT_SYSTEM_NODES = { AllowSpotVMSystemNode: 'true' };

/** Nothing stays behind of a machine that AKS has refused: it keeps such ones as failed. */
export const removing =
  (deleteMachine: AksMachineApi['deleteMachine']) =>
  async (name: string, signal: AbortSignal): Promise<void> => {
    try {
      await deleteMachine(name, signal);
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
    }
  };

type Others = Pick<AksMachineApi, 'deleteMachine'> & Pick<AksMachineReads, 'untilNamed'>;

/** Asks for one machine by a call of its own. */
export const aksMachinePut = ({ send, at, call }: AgentPoolLine, { untilNamed, deleteMachine }: Others): PutMachine => {
  const removeRefused = removing(deleteMachine);
  const headers = { 'If-None-Match': '*', ...SPOT_SYSTEM_NODES };
  return async (name, body, signal) => {
    try {
      const made = aksMachineIn(await call(() => send({ method: 'PUT', url: at(`machines/${name}`), body, headers }, signal)));
      return await untilNamed(name, made, signal);
    } catch (error) {
      if (error instanceof ArmError && error.status === 412) return 'exists';
      if (error instanceof ArmError && error.code === 'refused') await removeRefused(name, signal);
      throw error;
    }
  };
};
