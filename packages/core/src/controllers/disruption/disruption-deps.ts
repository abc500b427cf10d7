import type { SchedulingPolicy } from '../../scheduling/index.ts';
import type { Decisions } from '../decisions.ts';
import type { Shell } from '../shell.ts';
import type { CommandRuns } from './command-runs.ts';

export interface DisruptionOptions {
  readonly policy: SchedulingPolicy;
  readonly spotToSpot: boolean;
  /** Each method of a pass looks at candidates for so long at most, and at one in any case. */
  readonly passMs: number;
  /** How long an opportunity must last before it is acted on. */
  readonly validationMs: number;
}

/** What both disruption controllers need. */
export interface DisruptionDeps {
  readonly shell: Shell;
  readonly decisions: Decisions;
  readonly options: DisruptionOptions;
  readonly runs: CommandRuns;
}
