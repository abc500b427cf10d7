import { requeueAfter } from '@karpenter/runtime';
import type { Outcome, SingletonController } from '@karpenter/runtime';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import { isOvertaken } from '../../disruption/index.ts';
import type { Command, DisruptionContext, DisruptionMethod } from '../../disruption/index.ts';
import { unreachable } from '../../base/index.ts';
import { machineKeyOf } from '../../state/index.ts';
import type { MachineKey } from '../../state/index.ts';
import { decideInSlices } from '../decide-in-slices.ts';
import { openCandidates } from './close-candidates.ts';
import { summaryOf } from './command-run.ts';
import type { CommandRun } from './command-run.ts';
import { departing, hasDeparted } from './departures.ts';
import type { DisruptionDeps, DisruptionOptions } from './disruption-deps.ts';
import { leftClosed } from './left-closed.ts';
import { methodWatch } from './method-watch.ts';
import { orphanedRuns } from './orphaned-runs.ts';
import { startCommand } from './start-command.ts';
import { tellLook } from './tell-look.ts';

const POLL_MS = 10_000;
/** While machines leave: between two glances at whether one is gone. A glance costs no decision. */
const GLANCE_MS = 1000;
const UNSYNCED_MS = 1000;

/** The snapshot in which these machines are on their way out. */
const without = (snapshot: ClusterSnapshot, machines: ReadonlySet<MachineKey>): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => (machines.has(machineKeyOf(node)) ? { ...node, isMarkedForDeletion: true } : node)),
});

/** What a decision about disruption depends on, `machines` being spoken for by other commands. */
export const contextOf = ({ shell, options }: DisruptionDeps, machines: ReadonlySet<MachineKey>): DisruptionContext => {
  const nowMs = shell.clock.now();
  return {
    snapshot: without(shell.state.snapshot(nowMs), machines),
    policy: { ...options.policy, nowMs },
    nowMs,
    shouldStop: () => shell.clock.now() >= nowMs + options.passMs,
    spotToSpot: options.spotToSpot,
  };
};

/** Drift is a fact; that a node is not needed is an opportunity, which may pass. */
const validationMsFor = (method: DisruptionMethod, { validationMs }: DisruptionOptions): number => {
  switch (method) {
    case 'static-drift':
    case 'drift':
      return 0;
    case 'emptiness':
    case 'multi-node':
    case 'single-node':
      return validationMs;
    default:
      return unreachable(method);
  }
};

/** A name for one run: when it began, and what it is about. */
const idOf = ({ method, candidates }: Command, nowMs: number): string => `${method}-${nowMs}-${candidates[0]?.node.name ?? ''}`;

/**
 * Begins a run. A command that need not last is started at once: the next look then finds its pods taken care of, where one that waits would
 * have its own pods and those of all that wait planned together. False when it was taken back.
 */
const propose = async (deps: DisruptionDeps, command: Command, signal: AbortSignal): Promise<boolean> => {
  const { shell, options, runs } = deps;
  const startedMs = shell.clock.now();
  const summary = summaryOf(command, idOf(command, startedMs));
  const validationMs = validationMsFor(command.method, options);
  const waiting: CommandRun = { summary, startedMs, stage: { kind: 'validating', untilMs: startedMs + validationMs, command } };
  shell.reporter.report({ kind: 'command-proposed', command: summary });
  runs.set(validationMs > 0 ? waiting : { ...waiting, stage: { kind: 'starting' } });
  if (validationMs > 0) return true;
  return startCommand(deps, { run: waiting, command }, signal).catch((error: unknown) => {
    // The queue looks at it again, and goes on with the same names of replacements: some of them may stand.
    if (runs.get(summary.id)?.stage.kind === 'starting') runs.set(waiting);
    throw error;
  });
};

/** Leads on what a process began that is no more. */
const adopt = ({ runs }: DisruptionDeps, nodes: readonly NodeView[]): void => {
  for (const run of orphanedRuns(nodes, runs.ids)) runs.set(run);
};

/**
 * Finds nodes that are not needed, too dear, or no longer what they should be, and starts a command to give them up.
 *
 * Differs: the original looks every ten seconds, whatever happens. Here a machine that is gone has the next look taken at once, because
 * with a small budget each further node waits for the one before.
 */
export const disruption = (deps: DisruptionDeps): SingletonController => {
  const { shell, decisions, options, runs } = deps;
  let rounds: Pick<DisruptionContext, 'lookedAt' | 'driftLookedAt'> = {};
  let turn = 0;
  let awaited: ReadonlySet<MachineKey> = new Set();
  let nextLookMs = 0;

  const untilNextLook = (nodes: readonly NodeView[]): Outcome => {
    awaited = departing(nodes, runs.machines());
    const restMs = nextLookMs - shell.clock.now();
    return requeueAfter(awaited.size === 0 ? restMs : Math.min(restMs, GLANCE_MS));
  };

  return {
    name: 'disruption',
    async reconcile({ signal }) {
      if (!shell.state.hasSynced()) return requeueAfter(UNSYNCED_MS);
      const nodes = shell.state.views(shell.clock.now());
      adopt(deps, nodes);
      if (shell.clock.now() < nextLookMs && !hasDeparted(awaited, nodes)) return untilNextLook(nodes);
      await shell.state.refreshCatalogs(signal);
      await openCandidates(shell, leftClosed(nodes, runs.machines()), signal);
      const context = contextOf(deps, runs.machines());
      const watch = methodWatch(shell);
      // Each method has its time: what one takes of it leaves the next ones theirs.
      const shouldStop = (): boolean => watch.runningMs() >= options.passMs;
      const asked = { ...context, ...rounds, turn: turn++, onMethodStart: watch.onMethodStart, shouldStop };
      const proposal = await decideInSlices(shell, decisions.proposing(asked), signal);
      watch.end();
      rounds = { lookedAt: proposal.lookedAt, driftLookedAt: proposal.driftLookedAt };
      tellLook(shell, context, proposal);
      const { command } = proposal;
      if (command === undefined) {
        nextLookMs = shell.clock.now() + POLL_MS;
        return untilNextLook(nodes);
      }
      nextLookMs = shell.clock.now();
      if (isOvertaken(command, shell.state.views(nextLookMs), nextLookMs)) return requeueAfter(0);
      if (await propose(deps, command, signal)) return requeueAfter(0);
      nextLookMs = shell.clock.now() + POLL_MS;
      return untilNextLook(nodes);
    },
  };
};
