import type { Logger } from '@karpenter/runtime';
import type { ArmApi } from '../../arm/arm-api.ts';
import { claimNameOfMachine, SCRIPT_EXTENSION, scriptExtensionOf, type VmFacts } from '../../machines/index.ts';

type Machine = Pick<VmFacts, 'name' | 'tags'>;

/** Runs on machines what makes them nodes, where their user data alone does not. */
export interface NodeStarter {
  /** Remembers the script of a machine that is being made. */
  keep(machine: string, script: string): void;
  /** Drops it: the machine is not coming. */
  forget(machine: string): void;
  /** Resolves when the machine, which is up, has run its script. Throws the `ArmError` that this failed with. */
  start(machine: Machine, signal: AbortSignal): Promise<void>;
}

export interface NodeStarterSource {
  readonly arm: Pick<ArmApi, 'putExtension' | 'extensionDone'>;
  readonly location: string;
  readonly logger: Logger;
  /** Requests the script of a machine that another process has made; undefined if its claim or its class is gone. */
  readonly scriptOf: (claimName: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** For machines whose user data is all they need. */
export const selfStarting: NodeStarter = { keep: () => undefined, forget: () => undefined, start: () => Promise.resolve() };

/**
 * Runs scripts by an extension. They are secrets and stay in memory: after a restart they are requested from the
 * service again. Differs: the original leaves a machine without its script after a restart, until the claim's
 * registration deadline.
 */
export const extensionStarter = ({ arm, location, logger, scriptOf }: NodeStarterSource): NodeStarter => {
  const scripts = new Map<string, string>();
  const put = async ({ name, tags }: Machine, script: string, signal: AbortSignal): Promise<void> => {
    await arm.putExtension(name, { name: SCRIPT_EXTENSION, body: scriptExtensionOf({ location, tags }, script) }, signal);
    scripts.delete(name);
  };
  const restart = async (machine: Machine, signal: AbortSignal): Promise<void> => {
    const script = await scriptOf(claimNameOfMachine(machine.name) ?? '', signal);
    if (script === undefined) {
      logger.warn('nobody knows the script of a machine that came up', { machine: machine.name });
      return;
    }
    await put(machine, script, signal);
    await arm.extensionDone(machine.name, SCRIPT_EXTENSION, signal);
  };
  return {
    keep: (machine, script) => void scripts.set(machine, script),
    forget: (machine) => void scripts.delete(machine),
    start: async (machine, signal) => {
      const script = scripts.get(machine.name);
      if (script !== undefined) await put(machine, script, signal);
      if (await arm.extensionDone(machine.name, SCRIPT_EXTENSION, signal)) return;
      await restart(machine, signal);
    },
  };
};
