import type { ClusterSnapshot, Pod } from '@karpenter/core';
import { type Candidate, finish, type RebalanceWave, rebalancing } from '@karpenter/core/internal';
import { plannedMachine, type PlannedMachine, podNameOf } from './plan-summary.ts';
import { clusterPrice, type HeldNodes, heldNodes, type SavingsContext } from './savings-answer.ts';

/** A machine that a wave brings. */
export interface ComingMachine extends PlannedMachine {
  /** Stands for it in `pods`; the node gets another name. */
  readonly name: string;
}

/** Where a pod moves. */
export interface PodMove {
  readonly pod: string;
  readonly from: string;
  readonly to: string;
}

/** Nodes that go at once. */
export interface WaveAnswer {
  readonly nodes: readonly string[];
  readonly machines: readonly ComingMachine[];
  /** Pods that move, by name. */
  readonly pods: readonly PodMove[];
  /** Below zero where its machines serve later waves too. */
  readonly savingsPerHour: number;
}

/** What `karpenter rebalance` answers. */
export interface RebalanceAnswer {
  /** Karpenter's nodes whose price is known. */
  readonly pricePerHour: number;
  readonly savingsPerHour: number;
  /** In order: each starts when the pods of the one before run again. */
  readonly waves: readonly WaveAnswer[];
  /** Nodes in no wave. */
  readonly held: readonly HeldNodes[];
}

type Labelled = Pick<SavingsContext['policy'], 'labelCatalog'>;

const machinesOf = ({ machines }: RebalanceWave, policy: Labelled): readonly ComingMachine[] =>
  Array.from(machines, ([name, planned]) => ({ name, ...plannedMachine(planned, policy) }));

const homesOf = (candidates: readonly Candidate[]): ReadonlyMap<Pod, string> =>
  new Map(candidates.flatMap(({ node, reschedulablePods }) => reschedulablePods.map((pod) => [pod, node.name] as const)));

const waveAnswer = (wave: RebalanceWave, policy: Labelled): WaveAnswer => {
  const { candidates, moves, savingsPerHour } = wave;
  const homes = homesOf(candidates);
  const pods = [...moves].flatMap(([to, moved]) => moved.map((pod) => ({ pod: podNameOf(pod), from: homes.get(pod) ?? '', to })));
  return {
    nodes: candidates.map(({ node }) => node.name).sort(),
    machines: machinesOf(wave, policy),
    pods: pods.sort((a, b) => (a.pod < b.pod ? -1 : 1)),
    savingsPerHour,
  };
};

/** Nodes to delete together, in waves, with at most so many pods that move. */
export const rebalanceAnswer = (snapshot: ClusterSnapshot, context: SavingsContext, mostMoves: number): RebalanceAnswer => {
  const { waves, savingsPerHour, blocked } = finish(rebalancing({ snapshot, ...context }, { mostMoves }));
  return {
    ...{ pricePerHour: clusterPrice(snapshot), savingsPerHour },
    waves: waves.map((wave) => waveAnswer(wave, context.policy)),
    held: heldNodes(snapshot, blocked),
  };
};
