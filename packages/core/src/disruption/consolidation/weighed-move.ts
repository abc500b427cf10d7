import type { ConsolidationPolicy } from '../../apis/index.ts';

/** A consolidation move, as far as one of its pools is concerned. */
export interface WeighedMove {
  readonly nodePoolName: string;
  readonly policy: ConsolidationPolicy;
  /** Savings against disruption; undefined where the pool's policy does not weigh them. */
  readonly score?: number;
  /** Whether the move goes ahead: whether every pool finds it worth it. */
  readonly isWorthIt: boolean;
}
