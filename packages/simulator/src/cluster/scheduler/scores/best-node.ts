import type { NodeSlot } from '../node-slot.ts';
import { leastAllocated } from './least-allocated.ts';
import type { NodeScorer } from './node-scorer.ts';

const stretched = (slots: readonly NodeSlot[], { weight, score }: NodeScorer): readonly number[] => {
  const raw = slots.map(score);
  const least = Math.min(...raw);
  const range = Math.max(...raw) - least;
  return raw.map((value) => (range === 0 ? 0 : ((value - least) * 100 * weight) / range));
};

/** The node with the highest score; of equals the first, so that nodes in name order give ties to the lowest name. */
export const bestNode = (slots: readonly NodeSlot[], scorers: readonly NodeScorer[]): NodeSlot | undefined => {
  const extras = scorers.map((scorer) => stretched(slots, scorer));
  let best: NodeSlot | undefined;
  let highest = -Infinity;
  slots.forEach((slot, index) => {
    const score = extras.reduce((sum, extra) => sum + (extra[index] ?? 0), leastAllocated(slot));
    if (score <= highest) return;
    highest = score;
    best = slot;
  });
  return best;
};
