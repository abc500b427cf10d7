import type { ConsolidationPolicy } from '../../apis/index.ts';

/** How a pool judged a move: its savings against its disruption. */
export interface WeighedMove {
  readonly nodePoolName: string;
  readonly policy: ConsolidationPolicy;
  readonly score: number;
  readonly isWorthIt: boolean;
}
