import { Failures, requeueAfter } from '@karpenter/runtime';
import type { Outcome, SingletonController } from '@karpenter/runtime';
import { Backoff } from '../../actions/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import { isOvertaken } from '../../disruption/index.ts';
import type { Command, DisruptionContext, DisruptionMethod, Proposal } from '../../disruption/index.ts';
import { unreachable } from '../../base/index.ts';
import { machineKeyOf } from '../../state/index.ts';
import type { MachineKey } from '../../state/index.ts';
import { decideInSlices, snapshotNow } from '../shell.ts';
import { openCandidates, startCommand } from './command-steps.ts';
import { commandSummaryOf, departing, hasDeparted, nodesWithStaleTaints, orphanedRuns } from './command-runs.ts';
import type { CommandRun, DisruptionDeps, DisruptionOptions } from './command-runs.ts';
import { methodWatch, reportPass } from './pass-report.ts';
import { followRebalances, noteRebalance } from './rebalance-plans.ts';
import type { OddPlans } from './rebalance-plans.ts';

const POLL_MS = 10_000;
/** The least time to the next pass after one that began nothing: where pods come and go, some node always settles next. */
const LEAST_REST_MS = 5000;
/** How often to check whether a machine on its way out is gone. Costs no decision. */
const DEPARTURE_POLL_MS = 1000;
const UNSYNCED_MS = 1000;

/** Between two tries to open a node that no command in progress has closed; doubles. */
const OPEN_AGAIN = { baseMs: 10_000, maxMs: 10 * 60_000 };

const isViewComplete = ({ state, clock }: DisruptionDeps['shell']): boolean =>
  state.hasSynced() && !state.buffers.isRoomUnknown(clock.now());

/** When the next pass follows one that began nothing: sooner where it will find more than this one. */
const nextPassMs = ({ hold, nextSettledMs }: Proposal, nowMs: number): number =>
  Math.min(nowMs + POLL_MS, hold?.untilMs ?? Math.max(nowMs + LEAST_REST_MS, nextSettledMs));

/** The snapshot in which these machines are on their way out. */
const without = (snapshot: ClusterSnapshot, machines: ReadonlySet<MachineKey>): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => (machines.has(machineKeyOf(node)) ? { ...node, isMarkedForDeletion: true } : node)),
});

/** Node name → the failed replacement of the machine. */
const failedReplacementsIn = (
  { state }: DisruptionDeps['shell'],
  { nodes }: ClusterSnapshot,
): NonNullable<DisruptionContext['failedReplacements']> =>
  new Map(
    nodes.flatMap((node) => {
      const failed = state.replacements.of(machineKeyOf(node));
      return failed === undefined ? [] : [[node.name, failed] as const];
    }),
  );

/** The context of a decision; `machines` are candidates of commands in progress. */
export const contextOf = ({ shell, options, runs }: DisruptionDeps, machines: ReadonlySet<MachineKey>): DisruptionContext => {
  const nowMs = shell.clock.now();
  const snapshot = without(shell.isolation.without(snapshotNow(shell)), machines);
  return {
    snapshot,
    failedReplacements: failedReplacementsIn(shell, snapshot),
    targets: runs.targets(nowMs),
    policy: { ...options.policy, nowMs },
    nowMs,
    lastPodEventMs: (nodeName) => shell.state.lastPodEventMs(nodeName),
    shouldStop: () => shell.clock.now() >= nowMs + options.passMs,
    spotToSpot: options.spotToSpot,
  };
};

/** Drift is a fact and acted on at once; that a node is not needed is an opportunity that may pass. */
const validationMsFor = (method: DisruptionMethod, { validationMs }: DisruptionOptions): number => {
  switch (method) {
    case 'static-drift':
    case 'drift':
      return 0;
    case 'emptiness':
    case 'rebalance':
    case 'multi-node':
    case 'single-node':
      return validationMs;
    default:
      return unreachable(method);
  }
};

/** The id of a run. */
const idOf = ({ method, candidates }: Command, nowMs: number): string => `${method}-${nowMs}-${candidates[0]?.node.name ?? ''}`;

/**
 * Begins a run. A command that needs no validation is started at once, so that the next pass finds its pods taken care
 * of. False when it was taken back.
 */
const begin = async (deps: DisruptionDeps, command: Command, signal: AbortSignal): Promise<boolean> => {
  const { shell, options, runs } = deps;
  const startedMs = shell.clock.now();
  const summary = commandSummaryOf(command, idOf(command, startedMs));
  const validationMs = validationMsFor(command.method, options);
  const { targets } = command;
  const waiting: CommandRun = { summary, startedMs, targets, stage: { kind: 'validating', untilMs: startedMs + validationMs, command } };
  shell.reporter.report({ kind: 'command-proposed', command: summary });
  runs.set(validationMs > 0 ? waiting : { ...waiting, stage: { kind: 'starting' } });
  if (validationMs > 0) return true;
  return startCommand(deps, { run: waiting, command }, signal).catch((error: unknown) => {
    // The queue validates it again, and retries with the same names of replacements: some of them may exist already.
    if (runs.get(summary.id)?.stage.kind === 'starting') runs.set(waiting);
    throw error;
  });
};

/** Makes a pass, until time or memory runs out. */
const propose = async (
  { shell, decisions, options }: DisruptionDeps,
  context: DisruptionContext,
  signal: AbortSignal,
): Promise<Proposal> => {
  const watch = methodWatch(shell);
  const { portion, isOut } = shell.memory.share();
  // Each method has its own time limit, so that a slow one does not use up that of the next.
  const shouldStop = (): boolean => watch.runningMs() >= options.passMs || isOut();
  const policy = { ...context.policy, portion };
  const { onMethodStart } = watch;
  const asked = { ...context, policy, planAheadMs: options.validationMs, onMethodStart, shouldStop };
  const steps = decisions.proposing(asked);
  const proposal = await decideInSlices(shell, steps, signal);
  watch.end();
  return proposal;
};

/** Takes over commands that a previous process began. */
const adopt = ({ runs }: DisruptionDeps, nodes: readonly NodeView[]): void => {
  for (const run of orphanedRuns(nodes, runs.ids)) runs.set(run);
};

/** Nodes that a command has closed that is no longer in progress. */
const staleNodes = ({ shell, runs }: DisruptionDeps, nodes: readonly NodeView[]): readonly NodeView[] => {
  const running = runs.machines();
  const claimed = nodes.flatMap((node) => (node.claim === undefined ? [] : [{ metadata: node.claim.metadata, node }]));
  return shell.state.guard.each('NodeClaim', claimed, ({ node }) => nodesWithStaleTaints([node], running));
};

/** Opens nodes whose command is over. One that cannot be opened, or that somebody closes again, waits longer each time. */
const openStaleNodes = async (
  deps: DisruptionDeps,
  { nodes, tries }: { readonly nodes: readonly NodeView[]; readonly tries: Backoff },
  signal: AbortSignal,
): Promise<void> => {
  const due = staleNodes(deps, nodes).filter((node) => tries.remainingMs(machineKeyOf(node)) === 0);
  for (const node of due) tries.failed(machineKeyOf(node));
  await openCandidates(deps.shell, due, signal);
};

/**
 * Finds nodes that are empty, underused or drifted, and starts a command to remove or replace them.
 *
 * Differs: the original makes a pass every ten seconds, whatever happens. Here the next pass follows as soon as a
 * machine is gone, because with a small budget each further node waits for the one before.
 */
export const disruption = (deps: DisruptionDeps): SingletonController => {
  const { shell, runs } = deps;
  let rounds: Pick<DisruptionContext, 'evaluated' | 'driftEvaluated' | 'still' | 'hold'> = {};
  let turn = -1;
  let awaited: ReadonlySet<MachineKey> = new Set();
  let nextPassAtMs = 0;
  const tries = new Backoff(shell.clock, OPEN_AGAIN);
  const oddPlans: OddPlans = new WeakMap();

  /** Begins the command, if there is one, and reports, also when that failed half-way. True when the next pass is to follow at once. */
  const act = async (command: Command | undefined, report: () => void, signal: AbortSignal): Promise<boolean> => {
    try {
      if (command === undefined) return false;
      nextPassAtMs = shell.clock.now();
      return isOvertaken(command, shell.state.views(nextPassAtMs), nextPassAtMs) || (await begin(deps, command, signal));
    } finally {
      await shell.planGuard.attempt('report of a disruption pass', report);
    }
  };

  const untilNextPass = (nodes: readonly NodeView[]): Outcome => {
    awaited = departing(nodes, runs.machines());
    return requeueAfter(Math.min(nextPassAtMs - shell.clock.now(), awaited.size === 0 ? Number.POSITIVE_INFINITY : DEPARTURE_POLL_MS));
  };

  return {
    name: 'disruption',
    async reconcile(reconciling) {
      const { signal } = reconciling;
      if (!isViewComplete(shell)) return requeueAfter(UNSYNCED_MS);
      const nodes = shell.state.views(shell.clock.now());
      adopt(deps, nodes);
      const task = await followRebalances(deps, oddPlans, signal);
      if (shell.clock.now() < nextPassAtMs && !hasDeparted(awaited, nodes)) return untilNextPass(nodes);
      await shell.state.refreshCatalogs(signal);
      // Thrown only after the pass: somebody who changes one node all the time holds up no other.
      const failures = new Failures();
      await failures.apart(openStaleNodes(deps, { nodes, tries }, signal));
      const context = { ...contextOf(deps, runs.machines()), ...(task && { rebalance: task.rebalance }) };
      turn += 1;
      const planned = shell.planGuard.beginDisruption(context.snapshot);
      if (planned === undefined) return requeueAfter(POLL_MS);
      // A trial shows something only if it searches.
      const asked = { ...context, ...rounds, turn, mayHold: !planned.isTrial };
      const deciding = (snapshot: ClusterSnapshot): Promise<Proposal> => propose(deps, { ...asked, snapshot }, signal);
      const proposal = await shell.isolation.decide(planned.snapshot, deciding, reconciling).finally(() => shell.planGuard.endDisruption());
      if (planned.isTrial) return requeueAfter(0);
      rounds = { evaluated: proposal.evaluated, driftEvaluated: proposal.driftEvaluated, still: proposal.still, hold: proposal.hold };
      const command = await noteRebalance(deps, { plan: task?.plan, proposal, oddPlans }, signal);
      const isNext = await act(command, () => reportPass(shell, context, proposal), signal);
      nextPassAtMs = isNext ? shell.clock.now() : nextPassMs(proposal, shell.clock.now());
      failures.throwIfAny('nodes could not be opened');
      return isNext ? requeueAfter(0) : untilNextPass(nodes);
    },
  };
};
