import type { NodeSlot } from '../node-slot.ts';

/** How well a node suits, the higher the better; scores are stretched to 0–100 over the nodes in question. */
export interface NodeScorer {
  readonly weight: number;
  readonly score: (slot: NodeSlot) => number;
}
