import type { NodePool, Pod } from '@karpenter/core';
import type { PlainQuestion } from '../compare-original/plain-question.ts';
import { drawsFor } from './draws.ts';
import type { Draws } from './draws.ts';
import { drawPolicy, idOfNew } from './new-question.ts';
import type { QuestionMaker } from './new-question.ts';

/** Recorded questions whose parts are combined. */
export interface RecordedParts {
  readonly withNodes: readonly PlainQuestion[];
  readonly withoutNodes: readonly PlainQuestion[];
}

const named = (pod: Pod, name: string): Pod => ({ ...pod, metadata: { ...pod.metadata, name, uid: name } });

/** Pods of four questions, each once or several times. */
const drawRecordedPods = (draws: Draws, { withNodes, withoutNodes }: RecordedParts): readonly Pod[] => {
  const sources = [...draws.times(3, () => draws.oneOf(withNodes)), draws.oneOf(withoutNodes)];
  const all = sources.flatMap(({ pods }) => pods);
  const wanted = draws.oneOf([3, 8, 15, 25, 40]);
  const pods: Pod[] = [];
  while (pods.length < wanted) {
    const pod = draws.oneOf(all);
    pods.push(...draws.times(draws.oneOf([1, 1, 2, 4, 6]), () => pod));
  }
  return pods.slice(0, wanted).map((pod, index) => named(pod, `p${String(index).padStart(2, '0')}`));
};

const drawRecordedPools = (draws: Draws, base: PlainQuestion, other: PlainQuestion): readonly NodePool[] => {
  const further = draws.maybe(30, () => draws.oneOf(other.nodePools));
  return further === undefined ? base.nodePools : [...base.nodePools, { ...further, metadata: { ...further.metadata, name: 'further' } }];
};

/**
 * Parts of recorded questions in new combinations: pods of four of them on the nodes and instance types of a fifth. In
 * some cases with a NodePool or the DaemonSets of a sixth.
 */
export const crossQuestions =
  (recorded: RecordedParts): QuestionMaker =>
  (seed, index) => {
    const draws = drawsFor(seed, index);
    const pods = drawRecordedPods(draws, recorded);
    const base = draws.oneOf(draws.chance(70) ? recorded.withNodes : recorded.withoutNodes);
    const other = draws.oneOf(recorded.withNodes);
    const { types, nodes, bound } = base;
    return {
      id: idOfNew('cross', seed, index),
      pods,
      nodePools: drawRecordedPools(draws, base, other),
      ...{ types, nodes: nodes ?? [], bound: bound ?? [] },
      daemonSets: (draws.chance(70) ? base : other).daemonSets ?? [],
      preferences: drawPolicy(draws),
    };
  };
