import type { ConsolidationPolicy } from '../apis/index.ts';

/** What a pool made of a move. */
export interface WeighedMove {
  readonly nodePoolName: string;
  readonly policy: ConsolidationPolicy;
  readonly score: number;
  readonly isWorthIt: boolean;
}
