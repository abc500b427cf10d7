import type { AksMachine } from '../../machines/aks/aks-machine.ts';
import type { AgentPoolLine } from './agent-pool-line.ts';
import type { AksMachineApi } from './aks-machine-api.ts';
import { aksMachineIn } from './aks-machine-in.ts';
import { ArmError } from '../arm-error.ts';

export type PutMachine = AksMachineApi['putMachine'];

/** Lets machines of the mode `System` be spot machines too. */
export const SPOT_SYSTEM_NODES = { AllowSpotVMSystemNode: 'true' };

/** A machine whose VM AKS has not named would be known by a wrong id: it is asked for again. */
const unnamed = (name: string): ArmError =>
  new ArmError(`AKS has accepted machine ${name} and does not say yet which VM it is`, { code: 'server', cause: undefined });

/** The machine with the VM that it is. Throws `server` when AKS does not say. */
export const named = (machine: AksMachine | undefined, name: string): AksMachine => {
  if (machine?.properties.resourceId === undefined) throw unnamed(name);
  return machine;
};

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

type Others = Pick<AksMachineApi, 'getMachine' | 'deleteMachine'>;

/** Asks for one machine by a call of its own. */
export const aksMachinePut = ({ send, at, call }: AgentPoolLine, { getMachine, deleteMachine }: Others): PutMachine => {
  const removeRefused = removing(deleteMachine);
  const headers = { 'If-None-Match': '*', ...SPOT_SYSTEM_NODES };
  return async (name, body, signal) => {
    try {
      const made = aksMachineIn(await call(() => send({ method: 'PUT', url: at(`machines/${name}`), body, headers }, signal)));
      return named(made?.properties.resourceId === undefined ? await getMachine(name, signal) : made, name);
    } catch (error) {
      if (error instanceof ArmError && error.status === 412) return 'exists';
      if (error instanceof ArmError && error.code === 'refused') await removeRefused(name, signal);
      throw error;
    }
  };
};
