import type { SchedulingPolicy } from '../../scheduling/index.ts';
import type { Decisions, Shell } from '../shell.ts';
import type { CommandRuns } from './command-runs.ts';

export interface DisruptionOptions {
  readonly policy: SchedulingPolicy;
  readonly spotToSpot: boolean;
  /** Longest time that each method takes in one pass; it looks at one candidate at least. */
  readonly passMs: number;
  /** How long an opportunity to consolidate must last before it is taken. */
  readonly validationMs: number;
}

/** What both disruption controllers need. */
export interface DisruptionDeps {
  readonly shell: Shell;
  readonly decisions: Decisions;
  readonly options: DisruptionOptions;
  readonly runs: CommandRuns;
}
