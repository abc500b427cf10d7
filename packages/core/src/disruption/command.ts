import type { ConsolidationPolicy, DisruptionReason } from '../apis/index.ts';
import type { Blocker, DisruptionMethod } from './blockers/blocker.ts';
import type { PlannedNode } from '../scheduling/index.ts';
import type { Candidate } from './candidates/candidate.ts';
import type { Hold, Stillness } from './disruption-context.ts';

/**
 * Nodes to delete together, and the machines that must stand before they go. A value: nothing has happened yet. It
 * holds for the snapshot of its pass; the controller validates it again before it acts.
 */
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
  /** Names of the nodes that stay and take some of the pods, as planned. Absent: none, or it is left to kube-scheduler. */
  readonly targets?: readonly string[];
  /** Dollars: prices of the candidates less those of the replacements; below zero where drift makes things dearer. */
  readonly savingsPerHour: number;
}

/** A consolidation move, as far as one of its pools is concerned. */
export interface WeighedMove {
  readonly nodePoolName: string;
  readonly policy: ConsolidationPolicy;
  /** Savings against disruption; undefined where the pool's policy does not weigh them. */
  readonly score?: number;
  /** Whether the move goes ahead: whether every pool finds it worth it. */
  readonly isWorthIt: boolean;
}

/** What a pass found. */
export interface Proposal {
  readonly command?: Command;
  /** Node name → why it stays. Holds exactly Karpenter's nodes that are not in the command. */
  readonly blocked: ReadonlyMap<string, Blocker>;
  /**
   * Names of nodes that this round of single-node consolidation has evaluated; none once the round is over. For the
   * next pass.
   */
  readonly evaluated: ReadonlySet<string>;
  /** The same for drift, when time ran out. For the next pass. */
  readonly driftEvaluated: ReadonlySet<string>;
  /** The searches of this unchanged cluster that found nothing; absent when there was a command. For the next pass. */
  readonly still?: Stillness | undefined;
  /** What consolidation waits for; absent where it searched, or had nothing to search. For the next pass. */
  readonly hold?: Hold | undefined;
  /** When the pods of one more node will have settled, as far as a pass plans ahead; epoch ms, or Infinity. */
  readonly nextSettledMs: number;
  /** How many nodes a method of the reason may take, budgets aside. */
  readonly eligible: ReadonlyMap<DisruptionReason, number>;
  /** Moves whose savings were weighed against their disruption, once for each pool concerned. */
  readonly weighed: readonly WeighedMove[];
  /** What a rebalance comes to, as far as it can be planned now; absent where no wave was searched for. */
  readonly rebalance?: {
    /** All waves together. */
    readonly savingsPerHour: number;
    readonly waves: number;
    /** Node name → what keeps it out of every wave for now, and may pass. */
    readonly heldUp: ReadonlyMap<string, Blocker>;
  };
}

/**
 * Whether a command found earlier is still valid. `command`: what remains of it (nodes that are no longer empty are
 * dropped), with its nodes as they are now.
 */
export type Validity =
  | { readonly valid: true; readonly command: Command }
  | { readonly valid: false; readonly why: 'budget' | 'scheduling' | 'churn' | 'candidate-gone' };
