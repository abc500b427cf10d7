import type { NodeSlot } from '../node-slot.ts';

/** How well a node suits, the higher the better; scores are stretched to 0–100 over the nodes in question. */
export interface NodeScorer {
  readonly weight: number;
  readonly score: (slot: NodeSlot) => number;
}

const COUNTED = ['cpu', 'memory'];

/** 0–100: how much of cpu and memory is free, on average. */
const leastAllocated = (slot: NodeSlot): number => {
  let sum = 0;
  for (const name of COUNTED) {
    const all = slot.allocatable[name] ?? 0;
    if (all > 0) sum += ((all - (slot.used.get(name) ?? 0)) * 100) / all;
  }
  return sum / COUNTED.length;
};

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
