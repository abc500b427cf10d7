import type { DisruptionReason } from '../apis/index.ts';
import type { Blocker } from './blocker.ts';
import type { Command } from './command.ts';
import type { WeighedMove } from './weighed-move.ts';

/** What a pass found. */
export interface Proposal {
  readonly command?: Command;
  /** Node name → why it stays. Every node of Karpenter's that is not in the command, and no other. */
  readonly blocked: ReadonlyMap<string, Blocker>;
  /** Nodes that this round of single-node consolidation has come to, by name; none once it came to all. For the next pass. */
  readonly lookedAt: ReadonlySet<string>;
  /** Nodes that the look for drift has come to when time ran out, by name. For the next pass. */
  readonly driftLookedAt: ReadonlySet<string>;
  /** How many nodes a method of the reason may take, budgets aside. */
  readonly eligible: ReadonlyMap<DisruptionReason, number>;
  /** Moves that were weighed against the pods that they disturb, of every pool concerned. */
  readonly weighed: readonly WeighedMove[];
}

/** Whether a command that was found some time ago still holds; `command` is what is left of it (of empty nodes those that still are), its nodes as they were at this look. */
export type Validity =
  | { readonly valid: true; readonly command: Command }
  | { readonly valid: false; readonly why: 'budget' | 'scheduling' | 'churn' | 'candidate-gone' };
