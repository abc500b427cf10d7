import { createNodeClaims } from '../../actions/index.ts';
import type { Command } from '../../disruption/index.ts';
import { commandRecordText, REPLACES_ANNOTATION } from '../../state/index.ts';
import { abandonCommand } from './abandon-command.ts';
import { closeCandidates } from './close-candidates.ts';
import { recordOf } from './command-run.ts';
import type { CommandRun } from './command-run.ts';
import type { DisruptionDeps } from './disruption-deps.ts';

/** A valid command, and its run. */
export interface ValidCommand {
  readonly run: CommandRun;
  readonly command: Command;
}

/**
 * Starts a command: closes its nodes and creates its replacements. Only then do the candidates count as on their way
 * out, so that nobody plans for their pods twice. False where the replacements would exceed a limit: then the command
 * was abandoned.
 */
export const startCommand = async (deps: DisruptionDeps, { run, command }: ValidCommand, signal: AbortSignal): Promise<boolean> => {
  const { shell, runs } = deps;
  await closeCandidates(shell, command, signal);
  const { id, replacements, candidates: leaving } = run.summary;
  const annotations = { [REPLACES_ANNOTATION]: commandRecordText(recordOf(run)) };
  const claims = await createNodeClaims(
    shell,
    { planned: replacements, reason: command.reason, attempt: id, leaving, annotations },
    signal,
  );
  if (claims.length < replacements.length) {
    await abandonCommand(deps, { run, why: 'limit' }, signal);
    return false;
  }
  const claimNames = claims.map(({ metadata }) => metadata.name);
  runs.set({ ...run, stage: { kind: 'replacing', claimNames } });
  shell.reporter.report({ kind: 'command-started', command: run.summary, claimNames });
  return true;
};
