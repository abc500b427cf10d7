import { labels } from '../../apis/index.ts';
import { finish } from '../../base/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { aBareNode, aBareSnapshot } from '../../cluster/testing/a-bare-cluster.ts';
import type { Pod } from '../../kube/index.ts';
import { gatheringPodSets } from '../pod-classes/pod-class.ts';
import { compilingSnapshot } from '../compiled-snapshot.ts';
import { defaultSchedulingPolicy } from '../policy.ts';
import type { SchedulingPolicy } from '../policy.ts';
import type { Places, Question, Solution } from '../solve/solve.ts';
import { solvingAfresh } from '../solve/solve-retries.ts';
import { aTemplate } from './a-template.ts';
import type { Machine, PoolOptions } from './a-template.ts';

/** The cluster of a question, and how plans are made for it. */
export interface SolveOptions extends Partial<Pick<Question, 'isFrugal' | 'domainOrder' | 'shouldStop'>> {
  readonly nodes?: readonly NodeView[];
  /** What the pool sells; default: nothing. */
  readonly machines?: readonly Machine[];
  readonly pool?: PoolOptions;
  /** Where it differs from the default. */
  readonly policy?: Partial<SchedulingPolicy>;
}

/** A ready node with room for so many cores, in zone `z1` unless said otherwise. */
export const aRoomyNode = (name: string, cpus: number, zone = 'z1'): NodeView => {
  const capacity = { cpu: cpus * 1000, memory: 2 ** 40, pods: 110 };
  return aBareNode({ name, labels: { [labels.zone]: zone, [labels.hostname]: name }, capacity, allocatable: capacity });
};

/** The places of a cluster in which these pods are pending, and the question where they go. */
export const aQuestion = (
  pendingPods: readonly Pod[],
  { nodes = [], machines, pool, policy, shouldStop = () => false, ...how }: SolveOptions,
): { readonly places: Places; readonly question: Question } => {
  const nodePools = machines === undefined ? [] : [aTemplate(machines, pool).pool];
  const { places, classOf, movingFrom } = finish(
    compilingSnapshot(aBareSnapshot({ nodePools, nodes, pendingPods }), { ...defaultSchedulingPolicy, ...policy }),
  );
  const podSets = finish(gatheringPodSets(pendingPods, classOf));
  return { places, question: { podSets, gone: [], closed: [], movingFrom, shouldStop, ...how } };
};

/** Where the pods are in the end. */
export interface Outcome {
  /** Node → how many pods went there. */
  readonly onNodes: Readonly<Record<string, number>>;
  /** Machine and how many pods it has, for each planned node. */
  readonly planned: readonly (readonly [string, number])[];
  readonly unplaced: number;
}

/** To be called before another question fills the places. */
export const outcomeOf = ({ existing }: Places, { newNodes, unplaced }: Solution): Outcome => {
  const onNodes: Record<string, number> = {};
  for (const { node, count } of existing.log) {
    const name = existing.nodes[node]?.name ?? '';
    onNodes[name] = (onNodes[name] ?? 0) + count;
  }
  return {
    onNodes,
    planned: newNodes.map(({ fit: { state, cheapest }, podCount }) => [state.template.catalog.types[cheapest.type]?.name ?? '', podCount]),
    unplaced: unplaced.reduce((total, { count }) => total + count, 0),
  };
};

/** How often a solve pauses until it has placed the pods. */
export const pausesOf = (pods: readonly Pod[], options: SolveOptions): number => {
  const { places, question } = aQuestion(pods, options);
  const steps = solvingAfresh(places, question);
  let pauses = 0;
  for (let step = steps.next(); step.done !== true; step = steps.next()) pauses++;
  return pauses;
};
