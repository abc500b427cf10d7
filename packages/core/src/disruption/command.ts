import type { DisruptionReason } from '../apis/index.ts';
import type { PlannedNode } from '../scheduling/index.ts';
import type { Candidate } from './candidates/candidate.ts';

/** How a command was found; the methods run in this order. */
export type DisruptionMethod = 'emptiness' | 'static-drift' | 'drift' | 'multi-node' | 'single-node';

/** Nodes to delete together, and the machines that must stand before they go. */
export interface Command {
  readonly method: DisruptionMethod;
  readonly reason: DisruptionReason;
  readonly decision: 'delete' | 'replace';
  /** Never empty. */
  readonly candidates: readonly Candidate[];
  /** Empty for `delete`. */
  readonly replacements: readonly PlannedNode[];
  /** How the pods were placed when the replacements were found; absent: `first-fit`. */
  readonly packing?: 'cheapest';
  /** Prices of the candidates less those of the replacements; below zero where drift makes things dearer. */
  readonly savingsPerHour: number;
}
