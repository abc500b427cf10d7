import { gatheredCalls } from '@karpenter/core/provider-kit';
import type { Clock } from '@karpenter/runtime';
import type { AksMachine, AksMachineBody } from './aks-machine.ts';
import type { MachineBatching } from '../../options/index.ts';
import type { AgentPoolLine } from './agent-pool-line.ts';
import type { AksMachineApi } from './aks-machine-api.ts';
import { type PutMachine, removing, SPOT_SYSTEM_NODES } from './aks-machine-put.ts';
import type { AksMachineReads } from './aks-machine-reads.ts';
import { ArmError } from '../arm-error.ts';
import { machineRefusalsIn } from '../error-codes/machine-refusals.ts';

interface Order {
  readonly name: string;
  readonly body: AksMachineBody;
}

/** Machine → why AKS has refused it. */
type Refusals = ReadonlyMap<string, ArmError>;
type Answer = AksMachine | 'exists' | ArmError;

export interface BatchSource {
  readonly line: AgentPoolLine;
  /** A call for one machine. */
  readonly alone: PutMachine;
  /** Machines by name in lower case: at least those of the names that are there. */
  readonly byName: (names: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, AksMachine>>;
  readonly others: Pick<AksMachineApi, 'deleteMachine'> & Pick<AksMachineReads, 'untilNamed'>;
  readonly batching: MachineBatching;
  readonly clock: Clock;
}

/**
 * What machines of one batch have in common. Ultra disks are had in some zones only, so that with them the zone belongs
 * to it.
 */
const templateOf = ({ zones, properties: { tags: _tags, ...properties } }: AksMachineBody): AksMachineBody => ({
  ...(properties.hardware.ultraSsdEnabled === true && zones && { zones }),
  properties,
});

/** JSON that may stand in a header. */
const headerText = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

const headerOf = (orders: readonly Order[]): string =>
  headerText({
    batchMachines: orders.map(({ name, body: { zones = [], properties } }) => ({ machineName: name, zones, tags: properties.tags ?? {} })),
  });

/** Sends one PUT for all, by the name of the first. Throws what is said of all of them. */
const sendAll = async ({ send, at, call }: AgentPoolLine, orders: readonly [Order, ...Order[]], signal: AbortSignal): Promise<Refusals> => {
  const [first] = orders;
  const headers = { ...SPOT_SYSTEM_NODES, BatchPutMachine: headerOf(orders) };
  try {
    await call(() => send({ method: 'PUT', url: at(`machines/${first.name}`), body: templateOf(first.body), headers }, signal));
    return new Map();
  } catch (error) {
    const refusals = error instanceof ArmError ? machineRefusalsIn(error) : undefined;
    if (refusals === undefined) throw error;
    return refusals;
  }
};

/** A failure that is about one machine is an answer like any other. */
const asAnswer = (error: unknown): ArmError => {
  if (error instanceof ArmError) return error;
  throw error;
};

/**
 * What became of one machine. A batch creates and never changes. It refuses a machine that exists already; a GET of
 * the machine then shows it.
 */
const answersReader = ({ byName, others }: BatchSource) => {
  const removeRefused = removing(others.deleteMachine);
  return async (orders: readonly Order[], refusals: Refusals, signal: AbortSignal): Promise<readonly Answer[]> => {
    const seen = await byName(
      orders.map(({ name }) => name),
      signal,
    );
    const answerTo = async ({ name }: Order): Promise<Answer> => {
      const key = name.toLowerCase();
      const refusal = refusals.get(key);
      const machine = seen.get(key);
      if (refusal === undefined) return others.untilNamed(name, machine, signal);
      if (machine === undefined) return refusal;
      if (machine.properties.provisioningState !== 'Failed') return 'exists';
      await removeRefused(name, signal);
      return refusal;
    };
    return Promise.all(orders.map((order) => answerTo(order).catch(asAnswer)));
  };
};

/**
 * Asks for machines that differ in name, zone and tags only by one call. What comes alone goes alone, on the condition
 * that it is not there yet: a batch knows no such condition. Differs: the original sends single machines as batches of
 * one, and reads each machine of a batch by a call of its own.
 */
export const aksMachineBatch = (source: BatchSource): PutMachine => {
  const { line, alone, batching, clock } = source;
  const { idleMs, maxMs, most } = batching;
  const answersTo = answersReader(source);
  const put = gatheredCalls<Order, Answer>({
    ...{ clock, idleMs, maxMs, most },
    keyOf: ({ body }) => JSON.stringify(templateOf(body)),
    call: async (orders, signal) => {
      const [first, second, ...more] = orders;
      if (first === undefined) return [];
      if (second === undefined) return [await alone(first.name, first.body, signal)];
      return answersTo(orders, await sendAll(line, [first, second, ...more], signal), signal);
    },
  });
  const underway = new Map<string, Promise<Answer>>();
  return async (name, body, signal) => {
    const before = underway.get(name);
    const asked = before ?? put({ name, body }, { signal }).finally(() => void underway.delete(name));
    underway.set(name, asked);
    const answer = await asked;
    if (answer instanceof ArmError) throw answer;
    return before === undefined ? answer : 'exists';
  };
};
