import { driftedCondition, writeClaimStatus } from '../../actions/index.ts';
import { nodeClaimConditions } from '../../apis/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { conditionOf } from '../../kube/index.ts';
import { openCandidates } from './close-candidates.ts';
import type { CommandRun } from './command-run.ts';
import type { DisruptionDeps } from './disruption-deps.ts';
import { dismissReplacements } from './dismiss-replacements.ts';
import { machineKeyOf } from '../../state/index.ts';

/**
 * Notes of drifted nodes that stay that their replacement failed, so that other nodes go first, and writes it to their
 * claims.
 */
const delayNextReplacement = async (
  { shell }: DisruptionDeps,
  { nodes, ...failure }: { nodes: readonly NodeView[]; commandId: string; why: string },
  signal: AbortSignal,
): Promise<void> => {
  const { state, caches, clock } = shell;
  for (const node of nodes) {
    const machine = machineKeyOf(node);
    state.replacements.failed(machine, failure);
    const claim = caches.nodeClaims.get({ name: node.claim?.metadata.name ?? '' });
    const drifted = conditionOf(claim?.status?.conditions, nodeClaimConditions.drifted);
    if (claim === undefined || drifted?.status !== 'True') continue;
    const change = driftedCondition(drifted.reason ?? nodeClaimConditions.drifted, state.replacements.of(machine));
    await writeClaimStatus(shell, { claim, conditions: [change] }, { signal, nowMs: clock.now() });
  }
};

/** Whether the replacement failed. Other reasons to abandon a command say nothing about the next try. */
const isFailure = (why: string): boolean => why === 'replacement-gone' || why === 'timeout' || why === 'limit';

/**
 * Takes a command back: its nodes stay, unless something else deletes them. First its replacements are dismissed, then
 * its nodes are reopened. Whatever fails half-way is repeated, even by the next process.
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
  if (run.summary.reason === 'Drifted' && isFailure(why))
    await delayNextReplacement(deps, { nodes: staying, commandId: run.summary.id, why }, signal);
  runs.delete(run);
  shell.reporter.report({ kind: 'command-abandoned', command: run.summary, why });
};
