import type { AksMachineApi } from '../../arm/aks-machines/aks-machine-api.ts';
import type { AksMachine } from './aks-machine.ts';
import { type AksMachineScope, factsOfAksMachine } from './aks-machine-facts.ts';
import { aksMachineNameOf } from './aks-machine-name.ts';
import { keptClassHashTag } from '../class-hash-tag.ts';
import { machineTags } from '../machine-tags.ts';
import type { VmFacts } from '../vm-facts.ts';

/** The machines of an agent pool that Karpenter has made. All are known by the names of their claims after `aks-`. */
export interface AksMachines {
  readonly poolName: string;
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

/** Drift is asked for each claim, one after the other: one list answers for all. */
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
    list: async (signal) => (await arm.listMachines(signal)).filter(isOwn).map((machine) => factsOfAksMachine(machine, scope)),
    hasDrifted: async (name, signal) => {
      const machine = (await lately(signal)).find((each) => each.name === aksMachineNameOf(name));
      const action = machine?.properties.status?.driftAction ?? '';
      return action !== '' && action !== 'Synced';
    },
    tag: async (name, tags, signal) => {
      const machine = await arm.getMachine(aksMachineNameOf(name), signal);
      if (machine === undefined || machine.properties.provisioningState === 'Deleting') return 'gone';
      await arm.tagMachine(machine, { ...tags, ...keptClassHashTag(machine.properties.tags) }, signal);
      return 'tagged';
    },
  };
};
