import { compareText } from '../../base/index.ts';
import type { Candidate } from './candidate.ts';

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
