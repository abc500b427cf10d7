import { Failures, isFailure, requeueAfter } from '@karpenter/runtime';
import type { ReconcileContext, SingletonController } from '@karpenter/runtime';
import { Backoff, deleteNodeClaim } from '../../actions/index.ts';
import { unreachable } from '../../base/index.ts';
import { isOvertaken } from '../../disruption/index.ts';
import type { Command, Validity } from '../../disruption/index.ts';
import { decideInSlices } from '../shell.ts';
import { abandonCommand, nextStep, startCommand } from './command-steps.ts';
import { commandSummaryOf } from './command-runs.ts';
import type { CommandRun, DisruptionDeps } from './command-runs.ts';
import { contextOf } from './disruption.ts';
import { isWanted } from './rebalance-plans.ts';

const POLL_MS = 1000;

/**
 * Judges a proposed command by the present cluster. One that a bug keeps from being judged is not valid: its nodes
 * stay. So it is for ten minutes after two processes in a row ended while they judged commands.
 */
const judge = async (
  deps: DisruptionDeps,
  { run, proposed }: { run: CommandRun; proposed: Command },
  { signal, foundBug }: ReconcileContext,
): Promise<Validity | { readonly valid: false; readonly why: 'bug' }> => {
  const { shell, decisions, runs } = deps;
  try {
    const validating = (): Promise<Validity> => {
      const context = contextOf(deps, runs.machinesBefore(run));
      const snapshot = shell.planGuard.withoutBlamedNodes(context.snapshot);
      return decideInSlices(shell, decisions.validating(proposed, { ...context, snapshot }), signal);
    };
    return (await shell.planGuard.attempt('validation of a command', validating)) ?? { valid: false, why: 'bug' };
  } catch (error) {
    if (signal.aborted || isFailure(error)) throw error;
    foundBug?.(error);
    return { valid: false, why: 'bug' };
  }
};

/**
 * Validates a proposed command. Its nodes were still open until now, so pods may have come to them: that is what
 * validation searches for.
 */
const validate = async (
  deps: DisruptionDeps,
  { run: found, proposed }: { run: CommandRun; proposed: Command },
  reconciling: ReconcileContext,
): Promise<void> => {
  const { shell } = deps;
  const { signal } = reconciling;
  await shell.state.refreshCatalogs(signal);
  const validity = await judge(deps, { run: found, proposed }, reconciling);
  if (!validity.valid) return abandonCommand(deps, { run: found, why: validity.why }, signal);
  const { command } = validity;
  const run = { ...found, targets: command.targets, summary: commandSummaryOf(command, found.summary.id) };
  const nowMs = shell.clock.now();
  if (isOvertaken(command, shell.state.views(nowMs), nowMs)) return abandonCommand(deps, { run, why: 'churn' }, signal);
  await startCommand(deps, { run, command }, signal);
};

const finish = async ({ shell, runs }: DisruptionDeps, run: CommandRun, signal: AbortSignal): Promise<void> => {
  const reason = run.summary.reason.toLowerCase();
  await Promise.all(
    run.summary.candidates.map(async (node) => {
      const claim = shell.caches.nodeClaims.get({ name: node.claim?.metadata.name ?? '' });
      if (claim !== undefined) await deleteNodeClaim(shell, claim, { reason, signal });
    }),
  );
  runs.finish(run, shell.clock.now());
  shell.reporter.report({ kind: 'command-succeeded', command: run.summary });
};

const reportWaiting = ({ shell }: DisruptionDeps, run: CommandRun): void => {
  if (run.stage.kind !== 'replacing') return;
  shell.reporter.report({ kind: 'command-waiting', command: run.summary, claimNames: run.stage.claimNames });
};

/** Takes the next step of a command. */
const advance = async (deps: DisruptionDeps, run: CommandRun, reconciling: ReconcileContext): Promise<void> => {
  const { signal } = reconciling;
  if (!isWanted(deps, run)) return abandonCommand(deps, { run, why: 'unwanted' }, signal);
  const step = nextStep(run, {
    nowMs: deps.shell.clock.now(),
    candidateCount: deps.runs.machines().size,
    validationsMs: deps.runs.list().flatMap(({ stage }) => (stage.kind === 'validating' ? [stage.untilMs] : [])),
    isExchanging: deps.shell.state.exchanges.isOpen(run.summary.id),
    claimNamed: (name) => deps.shell.state.claimNamed(name),
  });
  switch (step.kind) {
    case 'wait': {
      reportWaiting(deps, run);
      return;
    }
    case 'validate':
      return validate(deps, { run, proposed: step.command }, reconciling);
    case 'finish':
      return finish(deps, run, signal);
    case 'abandon':
      return abandonCommand(deps, { run, why: step.why }, signal);
    default:
      return unreachable(step);
  }
};

/**
 * Carries commands out, each independently: neither a slow replacement nor a failed write holds up another command. One
 * whose step fails waits longer each time, and the queue goes on for the others.
 */
export const commandQueue = (deps: DisruptionDeps): SingletonController => {
  const tries = new Backoff(deps.shell.clock, { baseMs: 1000, maxMs: 60_000 });
  const step = async (run: CommandRun, context: ReconcileContext): Promise<void> => {
    const { id } = run.summary;
    if (tries.remainingMs(id) > 0) return;
    tries.failed(id);
    await advance(deps, run, context);
    tries.forget(id);
  };
  return {
    name: 'disruption.queue',
    async reconcile(context) {
      const failures = new Failures();
      for (const run of deps.runs.list()) await failures.apart(step(run, context));
      failures.throwIfAny('commands could not be continued');
      return requeueAfter(POLL_MS);
    },
  };
};
