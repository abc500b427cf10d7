import type { Command } from '../../disruption/index.ts';
import type { CommandSummary } from '../../ports/index.ts';
import { machineKeyOf } from '../../state/index.ts';
import type { MachineKey } from '../../state/index.ts';

/** A command on its way: proposed and waiting to be looked at again, or decided and waiting for its replacements. */
export interface CommandRun {
  readonly id: string;
  readonly command: Command;
  readonly startedMs: number;
  readonly stage:
    { readonly kind: 'validating'; readonly untilMs: number } | { readonly kind: 'replacing'; readonly claimNames: readonly string[] };
}

export const machinesOf = ({ command }: Pick<CommandRun, 'command'>): readonly MachineKey[] =>
  command.candidates.map(({ node }) => machineKeyOf(node));

/** The command as people are told. */
export const summaryOf = ({ id, command }: CommandRun): CommandSummary => ({
  id,
  method: command.method,
  reason: command.reason,
  decision: command.decision,
  candidates: command.candidates.map(({ node }) => node),
  replacements: command.replacements,
  savingsPerHour: command.savingsPerHour,
});
