import { chunksOf } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import { ConstrainedPods } from './constrained-pods.ts';
import { Topology } from './topology.ts';
import type { TopologySource } from './constrained-pods.ts';

/** About a millisecond of pods that were never read before. */
const PODS_A_STEP = 256;

/**
 * The topology of a snapshot; undefined when no pod has topology constraints or preferences, so that nothing needs
 * counting.
 */
export function* readingTopology(source: TopologySource): Steps<Topology | undefined> {
  const { pendingPods, nodes } = source.snapshot;
  const constrained = new ConstrainedPods(source);
  for (const chunk of chunksOf(pendingPods, PODS_A_STEP)) {
    for (const pod of chunk) constrained.add(pod, 'planned');
    yield;
  }
  for (const node of nodes) {
    for (const pod of node.pods) constrained.add(pod, source.mobilityOf(pod, node));
    yield;
  }
  if (constrained.pods.length === 0 && !constrained.havePreferences) return undefined;
  const topology = new Topology(source, constrained);
  yield;
  yield* topology.interningGroups(constrained);
  yield* topology.counting();
  yield* topology.rankingGroups();
  return topology;
}
