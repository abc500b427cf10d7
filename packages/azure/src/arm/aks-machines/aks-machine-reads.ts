import type { Clock } from '@karpenter/runtime';
import type { AksMachine } from './aks-machine.ts';
import type { AgentPoolLine } from './agent-pool-line.ts';
import type { AksMachineApi } from './aks-machine-api.ts';
import { aksMachineIn } from './aks-machine-answer.ts';
import { ArmError } from '../arm-error.ts';
import { innerRefusalsOf } from '../error-codes/inner-refusals.ts';
import { unexplainedFailure } from '../calls/poller.ts';
import { pageIn } from '../calls/shape.ts';
import { itemsOfPages, pagesOf } from '../calls/pages-of.ts';
import { statePoller } from '../calls/state-poller.ts';

/** What is known of a machine that AKS has accepted. */
export type NamedMachine = (name: string, accepted: AksMachine | undefined, signal: AbortSignal) => Promise<AksMachine>;

export interface AksMachineReads extends Pick<AksMachineApi, 'getMachine' | 'listMachines' | 'machineMade' | 'machineGone'> {
  /**
   * Resolves with the machine when AKS says which VM it is; `accepted`: what it has said of it so far. Throws the
   * `ArmError` that it failed with.
   */
  readonly untilNamed: NamedMachine;
  /** Machines by name in lower case, those of the names among them: by the list or one by one, whichever takes fewer calls. */
  readonly byName: (names: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, AksMachine>>;
}

/** A machine takes half a minute to come, and its node a little longer. */
const PACE = { firstMs: 10_000, everyMs: 5_000 };

const UNDER_WAY: ReadonlySet<string | undefined> = new Set(['Creating', 'Updating']);

/** AKS's own code comes with the details; around them it says only that a VM could not be made. */
const failureIn = (machine: AksMachine | undefined, name: string): ArmError => {
  const error = machine?.properties.status?.provisioningError;
  const first = error?.details?.[0] ?? error;
  if (first === undefined) return unexplainedFailure(`machine ${name}`);
  const armCode = first.code ?? 'ProvisioningFailed';
  return new ArmError(`${armCode}: ${first.message ?? ''}`, { code: 'refused', armCode, inner: innerRefusalsOf(error), cause: error });
};

/** AKS says which VM a machine is once there is one. */
const NAMING_PACE = { firstMs: 2_000, everyMs: 3_000 };

/** Whether AKS will say no more about which VM a machine is. */
const isSettled = ({ properties: { resourceId, provisioningState } }: AksMachine): boolean =>
  resourceId !== undefined || provisioningState === 'Failed' || provisioningState === 'Canceled' || provisioningState === 'Deleting';

/** A machine that ended before it had a VM. */
const cameAndWent = (name: string): ArmError =>
  new ArmError(`machine ${name} ended before AKS said which VM it is`, { code: 'server', cause: undefined });

interface Machines {
  readonly list: (signal: AbortSignal) => Promise<{ readonly machines: readonly AksMachine[]; readonly calls: number }>;
  readonly getMachine: AksMachineApi['getMachine'];
}

/** Waits for the names of VMs; all that wait share a poller. */
const naming = ({ list, getMachine }: Machines, clock: Clock): NamedMachine => {
  /** Machines that are waited for, by how many calls, and what was read of them last. */
  const seen = new Map<string, { waiting: number; machine: AksMachine | undefined }>();
  const stateOf = (machine: AksMachine | undefined): string | undefined => {
    if (machine === undefined || !isSettled(machine)) return machine && 'unnamed';
    const wanted = seen.get(machine.name.toLowerCase());
    if (wanted !== undefined) wanted.machine = machine;
    return 'settled';
  };
  const poller = statePoller(
    {
      list: async (signal) => {
        const { machines, calls } = await list(signal);
        return { calls, states: new Map(machines.map((machine) => [machine.name.toLowerCase(), stateOf(machine)])) };
      },
      get: async (name, signal) => stateOf(await getMachine(name, signal)),
    },
    NAMING_PACE,
    clock,
  );
  const read = async (name: string, signal: AbortSignal): Promise<AksMachine | undefined> => {
    const key = name.toLowerCase();
    const wanted = seen.get(key) ?? { waiting: 0, machine: undefined };
    seen.set(key, wanted);
    wanted.waiting += 1;
    try {
      await poller.until(name, (state) => state !== 'unnamed', signal);
      return wanted.machine;
    } finally {
      wanted.waiting -= 1;
      if (wanted.waiting === 0) seen.delete(key);
    }
  };
  return async (name, accepted, signal) => {
    const machine = accepted !== undefined && isSettled(accepted) ? accepted : await read(name, signal);
    if (machine?.properties.resourceId !== undefined) return machine;
    throw machine?.properties.provisioningState === 'Failed' ? failureIn(machine, name) : cameAndWent(name);
  };
};

const byName = (machines: readonly AksMachine[]): ReadonlyMap<string, AksMachine> =>
  new Map(machines.map((machine) => [machine.name.toLowerCase(), machine]));

/** The machine exists although its response cannot be parsed: a caller that takes it for gone deletes its node. */
const unreadable = (name: string, cause: unknown): ArmError =>
  new ArmError(`AKS answers for machine ${name} with what is no machine`, { code: 'server', cause });

/** Every machine of the pool, and how many calls that took. */
const listing =
  ({ send, at, find, readAll }: AgentPoolLine) =>
  async (signal: AbortSignal): Promise<{ readonly machines: readonly AksMachine[]; readonly calls: number }> => {
    let calls = 0;
    const ask = async (url: string) => pageIn(await find(() => send({ method: 'GET', url }, signal)));
    const pages = pagesOf({ source: 'the list of machines', first: at('machines'), ask });
    const machines = await itemsOfPages(pages, ({ items }) => {
      calls += 1;
      return readAll('machines of an agent pool', items, aksMachineIn);
    });
    return { machines, calls };
  };

/** Reads of the machines of an agent pool. All callers that wait for a machine share one poller. */
export const aksMachineReads = (line: AgentPoolLine, clock: Clock): AksMachineReads => {
  const list = listing(line);
  let listCalls = 1;
  const getMachine: AksMachineReads['getMachine'] = async (name, signal) => {
    const answer = await line.find(() => line.send({ method: 'GET', url: line.at(`machines/${name}`) }, signal));
    if (answer === undefined) return undefined;
    const machine = aksMachineIn(answer);
    if (machine === undefined) throw unreadable(name, answer);
    return machine;
  };
  const poller = statePoller(
    {
      list: async (signal) => {
        const { machines, calls } = await list(signal);
        listCalls = calls;
        return { calls, states: new Map(machines.map(({ name, properties }) => [name.toLowerCase(), properties.provisioningState])) };
      },
      get: async (name, signal) => (await getMachine(name, signal))?.properties.provisioningState,
    },
    PACE,
    clock,
  );
  return {
    getMachine,
    untilNamed: naming({ list, getMachine }, clock),
    listMachines: async (signal) => (await list(signal)).machines,
    byName: async (names, signal) => {
      if (names.length > listCalls) return byName((await list(signal)).machines);
      const found = await Promise.all(names.map((name) => getMachine(name, signal)));
      return byName(found.flatMap((machine) => machine ?? []));
    },
    machineMade: async (name, signal) => {
      const state = await poller.until(name, (now) => !UNDER_WAY.has(now), signal);
      if (state === 'Failed' || state === 'Canceled') throw failureIn(await getMachine(name, signal), name);
      return state === 'Succeeded';
    },
    machineGone: async (name, signal) => {
      await poller.until(name, (now) => now !== 'Deleting', signal);
    },
  };
};
