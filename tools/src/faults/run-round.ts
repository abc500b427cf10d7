import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../bench/inputs/random.ts';
import { problemsOf, type WantedState } from './cluster-problems.ts';
import type { Evidence } from './evidence.ts';
import type { FaultCluster } from './fault-cluster.ts';
import type { FaultKind } from './fault-kinds.ts';
import type { MachineCounts } from './machine-record.ts';
import { watchReplicas } from './replica.ts';
import type { FaultScenario } from './scenarios.ts';

const POLL_MS = 500;
/** The end must not change for so long. */
const QUIET_MS = 4_000;
/** Longer than two leases, a registration and a consolidation one after the other, and than the five minutes of a kubelet's report. */
const LIMIT_MS = 420_000;

const OPERATIONS = [
  'VirtualMachines_CreateOrUpdate',
  'NetworkInterfaces_CreateOrUpdate',
  'VirtualMachines_Delete',
  'NetworkInterfaces_Delete',
];

/** What a round does. */
export interface FaultRound {
  readonly number: number;
  readonly scenario: FaultScenario;
  readonly fault: FaultKind;
  /** The label of pools before the round, and after it where nodes are to drift. */
  readonly generation: { readonly before: string; readonly after: string };
  readonly random: Random;
  readonly isLong: boolean;
}

/** How it ended. */
export interface RoundVerdict {
  readonly round: number;
  readonly scenario: string;
  readonly fault: string;
  /** When the fault struck, after the change. */
  readonly struckAfterSeconds: number;
  /** From the end of the fault until all was as it must be. */
  readonly settledAfterSeconds: number;
  readonly mostMachines: MachineCounts;
  /** What shows that the fault struck. Empty: nothing does, and the round says nothing. */
  readonly evidence: Evidence;
  /** Processes of the controller that ended by themselves. */
  readonly ends: number;
  /** Empty: it held. */
  readonly problems: readonly string[];
}

/** So long after the change, or as soon as Azure has seen some more of a call, where half of all faults strike. */
const waitForMoment = async (cluster: FaultCluster, { random, scenario }: FaultRound): Promise<void> => {
  const afterMs = random.below(scenario.windowMs);
  if (random.below(2) === 0) {
    await pause(afterMs);
    return;
  }
  const { requests } = cluster.real.arm;
  const operation = random.oneOf(OPERATIONS);
  const until = requests.count(operation) + 1 + random.below(4);
  for (const endMs = performance.now() + scenario.windowMs; requests.count(operation) < until && performance.now() < endMs;) await pause(1);
};

/** Machines beyond what the change explains. `before`: what was there when it began. */
export const surplusProblems = (scenario: FaultScenario, before: MachineCounts, most: MachineCounts): readonly string[] => {
  const mostCores = scenario.mostSharedCores(before.sharedCores);
  return [
    ...(most.alone > scenario.mostAlone ? [`${most.alone} machines for ${scenario.mostAlone} pods that stand alone`] : []),
    ...(most.sharedCores > mostCores ? [`${most.sharedCores} cores for pods that share nodes, at most ${mostCores} explained`] : []),
  ];
};

/** Waits until nothing is wrong, and still is not a moment later; gives what is wrong when it takes too long. */
const settle = async (cluster: FaultCluster, wanted: WantedState): Promise<readonly string[]> => {
  let quietSinceMs: number | undefined;
  let problems: readonly string[] = [];
  for (const endMs = performance.now() + LIMIT_MS; performance.now() < endMs;) {
    await pause(POLL_MS);
    problems = await problemsOf(cluster, wanted).catch((error: unknown) => [`the API server does not answer: ${String(error)}`]);
    quietSinceMs = problems.length === 0 ? (quietSinceMs ?? performance.now()) : undefined;
    if (quietSinceMs !== undefined && performance.now() - quietSinceMs >= QUIET_MS) return [];
  }
  return problems;
};

const endsOf = ({ replicas }: FaultCluster): number => replicas.reduce((sum, { ends }) => sum + ends, 0);

/** Changes the cluster, lets the fault strike at the moment drawn, and judges what is left. */
export const runRound = async (cluster: FaultCluster, round: FaultRound): Promise<RoundVerdict> => {
  const { scenario, fault, generation, random, isLong } = round;
  await cluster.leader();
  await fault.prepare?.(cluster);
  const machinesBefore = cluster.machines.begin();
  const endsBefore = endsOf(cluster);
  const ownFaults = watchReplicas(cluster.replicas);
  const startMs = performance.now();
  await scenario.change(cluster, generation.after);
  await waitForMoment(cluster, round);
  const struckMs = performance.now();
  const evidence = await fault.strike(cluster, { random, isLong });
  const healedMs = performance.now();
  const problems = await settle(cluster, {
    ...scenario.wanted,
    generation: scenario.name === 'drift' ? generation.after : generation.before,
  });
  const settledAfterSeconds = (performance.now() - healedMs - QUIET_MS) / 1000;
  await fault.cleanUp?.(cluster);
  const { most } = cluster.machines;
  return {
    ...{ round: round.number, scenario: scenario.name, fault: fault.name },
    ...{ struckAfterSeconds: (struckMs - startMs) / 1000, settledAfterSeconds },
    ...{ mostMachines: most, ends: endsOf(cluster) - endsBefore, evidence },
    problems: [
      ...problems,
      ...surplusProblems(scenario, machinesBefore, most),
      ...ownFaults(),
      ...cluster.machines.doubled().map((id) => `made twice: ${id}`),
    ],
  };
};
