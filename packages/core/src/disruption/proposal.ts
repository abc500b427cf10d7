import type { Blocker } from './blocker.ts';
import type { Command } from './command.ts';

/** What a pass found. */
export interface Proposal {
  readonly command?: Command;
  /** Node name → why it stays. Only nodes of Karpenter's; those in the command are not in it. */
  readonly blocked: ReadonlyMap<string, Blocker>;
  /** NodePools with nodes that were not looked at because time ran out; the next pass's `poolsFirst`. */
  readonly unreachedPools: readonly string[];
}

/** Whether a command that was found some time ago still holds; `command` is what is left of it (of empty nodes those that still are), its nodes as they were at this look. */
export type Validity =
  | { readonly valid: true; readonly command: Command }
  | { readonly valid: false; readonly why: 'budget' | 'scheduling' | 'churn' | 'candidate-gone' };
