import type { AksMachine, AksMachineBody } from './aks-machine.ts';

/**
 * What the provider asks of AKS about the machines of one agent pool. Absence is `undefined`; every failure is an
 * `ArmError`.
 */
export interface AksMachineApi {
  /** False: there is no such agent pool, or no such cluster. */
  hasPool(signal: AbortSignal): Promise<boolean>;
  /** Also without an agent pool there is no machine. */
  getMachine(name: string, signal: AbortSignal): Promise<AksMachine | undefined>;
  /** Resolves with a machine that was read when AKS says which VM it is. */
  namedMachine(name: string, machine: AksMachine, signal: AbortSignal): Promise<AksMachine>;
  /** Every machine of the pool. A call for each page. */
  listMachines(signal: AbortSignal): Promise<readonly AksMachine[]>;
  /**
   * Resolves when AKS has accepted the machine and said which VM it is; one that is there already does not change.
   * Nothing stays behind of one that AKS refuses.
   */
  putMachine(name: string, body: AksMachineBody, signal: AbortSignal): Promise<AksMachine | 'exists'>;
  /** Writes the tags of a machine, and nothing else; fails when somebody has written it since it was read. */
  tagMachine(machine: AksMachine, tags: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void>;
  /** Resolves when the machine is no longer being made: whether it is there. Throws the `ArmError` that it failed with. */
  machineMade(name: string, signal: AbortSignal): Promise<boolean>;
  /** Resolves when the machine is no longer on its way out. */
  machineGone(name: string, signal: AbortSignal): Promise<void>;
  /** Resolves when AKS has accepted the end of the machine. */
  deleteMachine(name: string, signal: AbortSignal): Promise<void>;
}
