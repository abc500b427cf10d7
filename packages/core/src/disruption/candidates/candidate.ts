import { compareText } from '../../base/index.ts';
import type { NodePoolView, NodeView } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';

/** A node that may be disrupted, its price, and the cost of disrupting it. */
export interface Candidate {
  readonly node: NodeView;
  readonly nodePool: NodePoolView;
  /** Pods that will need a new place. */
  readonly reschedulablePods: readonly Pod[];
  /** The price of the node's offering, and what a node costs beside its machine; 0 when the offering is not known. */
  readonly pricePerHour: number;
  /** 1 for the node plus the `evictionCost` of each reschedulable pod, negative ones counting as 0. */
  readonly disruptionCost: number;
}

const savingsRatio = ({ pricePerHour, disruptionCost }: Candidate): number => pricePerHour / disruptionCost;

/** The most savings per disruption cost first; ties by name. */
export const bySavings = (a: Candidate, b: Candidate): number => savingsRatio(b) - savingsRatio(a) || compareText(a.node.name, b.node.name);

/**
 * One candidate of each pool in turn, so that a large pool does not keep the others waiting; the pools in the order of
 * their best candidate.
 */
export const inTurn = <C extends Candidate>(candidates: readonly C[]): readonly C[] => {
  const byPool = new Map<string, C[]>();
  for (const candidate of candidates) {
    const name = candidate.nodePool.nodePool.metadata.name;
    const known = byPool.get(name);
    if (known === undefined) byPool.set(name, [candidate]);
    else known.push(candidate);
  }
  const queues = [...byPool.values()];
  const rounds = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => queues.flatMap((queue) => queue.slice(round, round + 1))).flat();
};
