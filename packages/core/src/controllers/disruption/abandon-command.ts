import { openCandidates } from './close-candidates.ts';
import type { CommandRun } from './command-run.ts';
import type { DisruptionDeps } from './disruption-deps.ts';
import { dismissReplacements } from './dismiss-replacements.ts';
import { machineKeyOf } from '../../state/index.ts';

/**
 * Takes a command back: its nodes stay, unless something else deletes them. First its replacements are dismissed, then its nodes are reopened. Whatever
 * fails half-way is repeated, even by the next process.
 */
export const abandonCommand = async (
  deps: DisruptionDeps,
  { run, why }: { run: CommandRun; why: string },
  signal: AbortSignal,
): Promise<void> => {
  const { shell, runs } = deps;
  runs.set({ ...run, stage: { kind: 'called-off', why } });
  await dismissReplacements(shell, run.summary.id, signal);
  const candidates = new Set(run.summary.candidates.map(machineKeyOf));
  const views = shell.state.views(shell.clock.now());
  const staying = views.filter((node) => candidates.has(machineKeyOf(node)) && !node.isMarkedForDeletion);
  await openCandidates(shell, staying, signal);
  runs.delete(run);
  shell.reporter.report({ kind: 'command-abandoned', command: run.summary, why });
};
