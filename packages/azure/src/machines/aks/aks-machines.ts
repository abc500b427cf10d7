import type { AksMachineApi } from '../../arm/aks-machines/aks-machine-api.ts';
import type { AksMachine } from '../../arm/aks-machines/aks-machine.ts';
import { type AksMachineScope, factsOfAksMachine } from './aks-machine-facts.ts';
import { ArmError } from '../../arm/arm-error.ts';
import { changedTags } from '../in-place-change.ts';
import { aksMachineNameOf } from './aks-machine-name.ts';
import { machineTags } from '../machine-tags.ts';
import type { VmFacts } from '../vm-facts.ts';

/** The machines of an agent pool that Karpenter has made. All are known by the names of their claims after `aks-`. */
export interface AksMachines {
  readonly poolName: string;
  /** False: there is no such agent pool, or no such cluster. */
  isThere(signal: AbortSignal): Promise<boolean>;
  list(signal: AbortSignal): Promise<readonly VmFacts[]>;
  /** Whether AKS says that a machine is no longer as its cluster wants it; as it was half a minute ago, at most. */
  hasDrifted(name: string, signal: AbortSignal): Promise<boolean>;
  /** Gives a machine these tags in place of its own, but for that of its class. */
  tag(name: string, tags: Readonly<Record<string, string>>, signal: AbortSignal): Promise<'tagged' | 'gone'>;
}

export interface AksMachinesSource {
  readonly arm: AksMachineApi;
  readonly scope: AksMachineScope & { readonly clusterName: string };
  readonly poolName: string;
  readonly clock: { now(): number };
}

const isStale = (error: unknown): boolean => error instanceof ArmError && error.status === 412;

/**
 * Reads, compares, and writes where the tags differ. AKS writes machines too: a write that it has overtaken is made
 * again, once.
 */
const tagging =
  (arm: Pick<AksMachineApi, 'getMachine' | 'tagMachine'>): AksMachines['tag'] =>
  async (name, tags, signal) => {
    const write = async (): Promise<'tagged' | 'gone'> => {
      const machine = await arm.getMachine(aksMachineNameOf(name), signal);
      if (machine === undefined || machine.properties.provisioningState === 'Deleting') return 'gone';
      const changed = changedTags(machine.properties.tags, tags);
      if (changed !== undefined) await arm.tagMachine(machine, changed, signal);
      return 'tagged';
    };
    try {
      return await write();
    } catch (error) {
      if (!isStale(error)) throw error;
      return await write();
    }
  };

/** Drift is checked claim by claim: one list serves all of them. */
const FRESH_MS = 30_000;

export const aksMachines = ({ arm, scope, poolName, clock }: AksMachinesSource): AksMachines => {
  let seen: { readonly machines: Promise<readonly AksMachine[]>; readonly untilMs: number } | undefined;
  const isOwn = ({ properties: { tags = {} } }: AksMachine): boolean =>
    tags[machineTags.nodePool] !== undefined && tags[machineTags.cluster] === scope.clusterName;
  const lately = async (signal: AbortSignal): Promise<readonly AksMachine[]> => {
    if (seen === undefined || seen.untilMs <= clock.now()) {
      seen = { machines: arm.listMachines(signal), untilMs: clock.now() + FRESH_MS };
    }
    try {
      return await seen.machines;
    } catch (error) {
      seen = undefined;
      throw error;
    }
  };
  return {
    poolName,
    isThere: (signal) => arm.hasPool(signal),
    list: async (signal) => (await arm.listMachines(signal)).filter(isOwn).map((machine) => factsOfAksMachine(machine, scope)),
    hasDrifted: async (name, signal) => {
      const machine = (await lately(signal)).find((each) => each.name === aksMachineNameOf(name));
      const action = machine?.properties.status?.driftAction ?? '';
      return action !== '' && action !== 'Synced';
    },
    tag: tagging(arm),
  };
};
