import type { Clock } from '@karpenter/runtime';
import type { ClusterView } from './cluster-view.ts';
import type { Phase } from './scenarios.ts';

/** Whether a phase is over, asked again and again. */
export type IsOver = (view: ClusterView) => boolean;

/** As long as the suite waits without a node that leaves before it calls a cluster consolidated. */
const QUIET_MS = 3 * 60_000;

const namesOf = ({ nodes }: ClusterView): ReadonlySet<string> => new Set(nodes.map(({ metadata }) => metadata.name));

const quietFor = (clock: Clock, quietMs: number): IsOver => {
  let busyMs = clock.now();
  return ({ leaving }) => {
    if (leaving > 0) busyMs = clock.now();
    return clock.now() - busyMs >= quietMs;
  };
};

const othersThan = (before: ClusterView): IsOver => {
  const old = namesOf(before);
  return ({ nodes, leaving }) => leaving === 0 && nodes.every(({ metadata }) => !old.has(metadata.name));
};

const endOf = (phase: Phase, clock: Clock, before: ClusterView): IsOver => {
  if (phase.end === 'quiet') return quietFor(clock, QUIET_MS);
  return phase.end === 'replaced' ? othersThan(before) : () => true;
};

/** What is waited for in a phase that begins with `before`: the pods, and its own end. */
export const phaseEnd = (phase: Phase, clock: Clock, before: ClusterView): IsOver => {
  const hasEnded = endOf(phase, clock, before);
  return (view) => {
    const ended = hasEnded(view);
    return ended && view.upPods.length === phase.pods && view.podCount === phase.pods;
  };
};
