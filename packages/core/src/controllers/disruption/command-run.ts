import type { Command } from '../../disruption/index.ts';
import type { CommandSummary } from '../../ports/index.ts';
import { machineKeyOf } from '../../state/index.ts';
import type { CommandRecord, MachineKey } from '../../state/index.ts';

/**
 * A command in progress: proposed and waiting for validation; being started by the pass that found it; waiting for its
 * replacements; or called off and being undone.
 */
export interface CommandRun {
  /** The command as it is reported. */
  readonly summary: CommandSummary;
  readonly startedMs: number;
  readonly stage:
    | { readonly kind: 'validating'; readonly untilMs: number; readonly command: Command }
    | { readonly kind: 'starting' }
    | { readonly kind: 'replacing'; readonly claimNames: readonly string[] }
    | { readonly kind: 'called-off'; readonly why: string };
}

export const candidateKeysOf = ({ summary }: CommandRun): readonly MachineKey[] => summary.candidates.map(machineKeyOf);

/** The command as it is reported. */
export const commandSummaryOf = (command: Command, id: string): CommandSummary => ({
  id,
  method: command.method,
  reason: command.reason,
  decision: command.decision,
  candidates: command.candidates.map(({ node }) => node),
  replacements: command.replacements,
  savingsPerHour: command.savingsPerHour,
});

/** The command as it is recorded on its replacements. */
export const recordOf = ({ summary, startedMs }: CommandRun): CommandRecord => {
  const { id, method, reason, candidates, replacements, savingsPerHour } = summary;
  const names = candidates.flatMap(({ claim }) => claim?.metadata.name ?? []);
  return { id, method, reason, startedMs, candidates: names, replacements: replacements.length, savingsPerHour };
};
