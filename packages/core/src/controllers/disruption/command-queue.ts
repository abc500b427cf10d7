import { requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import { createNodeClaims, deleteNodeClaim, patchNodeClaim } from '../../actions/index.ts';
import { unreachable } from '../../base/index.ts';
import { isOvertaken } from '../../disruption/index.ts';
import type { Command } from '../../disruption/index.ts';
import { decideInSlices } from '../decide-in-slices.ts';
import { commandRecordText, REPLACES_ANNOTATION } from '../../state/index.ts';
import { closeCandidates, openCandidates } from './close-candidates.ts';
import { machinesOf, recordOf, summaryOf } from './command-run.ts';
import type { CommandRun } from './command-run.ts';
import { contextOf } from './disruption.ts';
import type { DisruptionDeps } from './disruption.ts';
import { nextStep } from './next-step.ts';

const POLL_MS = 1000;

/** Has a command's replacements no longer say that they are: else the next process would lead it on. Safe to repeat. */
const disown = async ({ shell }: DisruptionDeps, { stage }: CommandRun, signal: AbortSignal): Promise<void> => {
  if (stage.kind !== 'replacing') return;
  const body = { metadata: { annotations: { [REPLACES_ANNOTATION]: null } } };
  for (const name of stage.claimNames) {
    const claim = shell.caches.nodeClaims.get({ name });
    if (claim?.metadata.annotations?.[REPLACES_ANNOTATION] !== undefined) await patchNodeClaim(shell, { claim, body }, { signal });
  }
};

/** Takes a command back: its nodes stay. Replacements that stand already are left to be used, or to be found empty. */
const abandon = async (deps: DisruptionDeps, { run, why }: { run: CommandRun; why: string }, signal: AbortSignal): Promise<void> => {
  const { shell, runs } = deps;
  shell.state.unmark(machinesOf(run));
  await disown(deps, run, signal);
  await openCandidates(shell, run.summary.candidates, signal);
  runs.delete(run);
  shell.reporter.report({ kind: 'command-abandoned', command: run.summary, why });
};

/**
 * Looks again. If the command still holds its nodes are closed (not before: pods that come meanwhile find room there, and that is what the
 * look is for), replacements are asked for, and only then are the candidates marked, so that nobody plans for their pods twice.
 */
const validate = async (
  deps: DisruptionDeps,
  { run: found, proposed }: { run: CommandRun; proposed: Command },
  signal: AbortSignal,
): Promise<void> => {
  const { shell, decisions, runs } = deps;
  await shell.state.refreshCatalogs(signal);
  const validity = await decideInSlices(shell, decisions.validating(proposed, contextOf(deps, runs.machines(found))), signal);
  if (!validity.valid) return abandon(deps, { run: found, why: validity.why }, signal);
  const { command } = validity;
  const run = { ...found, summary: summaryOf(command, found.summary.id) };
  const nowMs = shell.clock.now();
  if (isOvertaken(command, shell.state.views(nowMs), nowMs)) return abandon(deps, { run, why: 'churn' }, signal);
  await closeCandidates(shell, command, signal);
  const { id, replacements, candidates: leaving } = run.summary;
  const annotations = { [REPLACES_ANNOTATION]: commandRecordText(recordOf(run)) };
  const claims = await createNodeClaims(shell, { planned: replacements, reason: 'disruption', attempt: id, leaving, annotations }, signal);
  if (claims.length < replacements.length) return abandon(deps, { run, why: 'limit' }, signal);
  shell.state.mark(machinesOf(run));
  runs.set({ ...run, stage: { kind: 'replacing', claimNames: claims.map(({ metadata }) => metadata.name) } });
  shell.reporter.report({ kind: 'command-started', command: run.summary });
};

const finish = async ({ shell, runs }: DisruptionDeps, run: CommandRun, signal: AbortSignal): Promise<void> => {
  const reason = run.summary.reason.toLowerCase();
  await Promise.all(
    run.summary.candidates.map(async (node) => {
      const claim = shell.caches.nodeClaims.get({ name: node.claim?.metadata.name ?? '' });
      if (claim !== undefined) await deleteNodeClaim(shell, claim, { reason, signal });
    }),
  );
  runs.delete(run);
  shell.reporter.report({ kind: 'command-succeeded', command: run.summary });
};

const tellWaiting = ({ shell }: DisruptionDeps, run: CommandRun): void => {
  if (run.stage.kind !== 'replacing') return;
  shell.reporter.report({ kind: 'command-waiting', command: run.summary, claimNames: run.stage.claimNames });
};

/** Does what the command needs next. */
const lead = async (deps: DisruptionDeps, run: CommandRun, signal: AbortSignal): Promise<void> => {
  const step = nextStep(run, {
    nowMs: deps.shell.clock.now(),
    candidateCount: deps.runs.machines().size,
    claimNamed: (name) => deps.shell.state.claimNamed(name),
  });
  switch (step.kind) {
    case 'wait': {
      tellWaiting(deps, run);
      return;
    }
    case 'validate':
      return validate(deps, { run, proposed: step.command }, signal);
    case 'finish':
      return finish(deps, run, signal);
    case 'abandon':
      return abandon(deps, { run, why: step.why }, signal);
    default:
      return unreachable(step);
  }
};

/** Leads started commands to their end, each on its own: neither a slow replacement nor a refused write holds up another command. */
export const commandQueue = (deps: DisruptionDeps): SingletonController => ({
  name: 'disruption.queue',
  async reconcile({ signal }) {
    const failures: unknown[] = [];
    for (const run of deps.runs.list()) await lead(deps, run, signal).catch((error: unknown) => failures.push(error));
    if (failures.length > 1) throw new AggregateError(failures, `${failures.length} commands could not be led on`);
    if (failures.length === 1) throw failures[0];
    return requeueAfter(POLL_MS);
  },
});
