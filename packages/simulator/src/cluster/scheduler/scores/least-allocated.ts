import type { NodeSlot } from '../node-slot.ts';

const COUNTED = ['cpu', 'memory'];

/** 0–100: how much of cpu and memory is free, on average. */
export const leastAllocated = (slot: NodeSlot): number => {
  let sum = 0;
  for (const name of COUNTED) {
    const all = slot.allocatable[name] ?? 0;
    if (all > 0) sum += ((all - (slot.used.get(name) ?? 0)) * 100) / all;
  }
  return sum / COUNTED.length;
};
