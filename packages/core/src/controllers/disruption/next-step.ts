import type { NodeClaim } from '../../apis/index.ts';
import { unreachable } from '../../base/index.ts';
import type { Command } from '../../disruption/index.ts';
import { isInitialized } from '../../state/index.ts';
import type { CommandRun } from './command-run.ts';

/** What a run needs next. */
export type NextStep =
  | { readonly kind: 'wait' }
  | { readonly kind: 'validate'; readonly command: Command }
  | { readonly kind: 'finish' }
  | { readonly kind: 'abandon'; readonly why: string };

export interface RunFacts {
  readonly nowMs: number;
  /** The candidates of all commands in progress together: the more, the longer each may take. */
  readonly candidateCount: number;
  /** Whether all replacements still exist. */
  readonly isExchanging: boolean;
  readonly claimNamed: (name: string) => NodeClaim | undefined;
}

const MIN_TIMEOUT_MS = 10 * 60_000;
const MAX_TIMEOUT_MS = 60 * 60_000;

/** Source: the original's `pkg/controllers/disruption/queue.go`: 80 ms a candidate, ten minutes at least, an hour at most. */
export const commandTimeoutMs = (candidateCount: number): number => Math.min(MAX_TIMEOUT_MS, Math.max(MIN_TIMEOUT_MS, 80 * candidateCount));

/** The next step of a run. Candidates go only once every replacement is initialized. */
export const nextStep = ({ stage, startedMs }: CommandRun, { nowMs, candidateCount, isExchanging, claimNamed }: RunFacts): NextStep => {
  const isLate = nowMs >= startedMs + commandTimeoutMs(candidateCount);
  switch (stage.kind) {
    case 'validating':
      if (isLate) return { kind: 'abandon', why: 'timeout' };
      return nowMs >= stage.untilMs ? { kind: 'validate', command: stage.command } : { kind: 'wait' };
    case 'starting':
      return { kind: 'wait' };
    case 'replacing': {
      if (!isExchanging) return { kind: 'abandon', why: 'replacement-gone' };
      const claims = stage.claimNames.map(claimNamed);
      if (claims.every((claim) => claim !== undefined && isInitialized(claim))) return { kind: 'finish' };
      return isLate ? { kind: 'abandon', why: 'timeout' } : { kind: 'wait' };
    }
    case 'called-off':
      return { kind: 'abandon', why: stage.why };
    default:
      return unreachable(stage);
  }
};
