import { Failures, isAdmissionDenial } from '@karpenter/runtime';
import {
  clusterLimitBroken,
  createNodeClaims,
  deleteNodeClaim,
  driftedCondition,
  limitBroken,
  patchNodeClaim,
  taintDisrupted,
  untaintDisrupted,
  writeClaimStatus,
} from '../../actions/index.ts';
import type { ConditionChange, RefusedClaim } from '../../actions/index.ts';
import { nodeClaimConditions } from '../../apis/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import type { Command } from '../../disruption/index.ts';
import { blameForReplacement, reportRefusals } from '../provisioning/claim-refusals.ts';
import type { Shell } from '../shell.ts';
import {
  REPLACES_ANNOTATION,
  commandRecordOf,
  commandRecordText,
  isInitialized,
  isRefusedReplacement,
  machineKeyOf,
} from '../../state/index.ts';
import { recordOf } from './command-runs.ts';
import type { CommandRun, DisruptionDeps } from './command-runs.ts';
import { compareText, unreachable } from '../../base/index.ts';
import { conditionOf, isReschedulable } from '../../kube/index.ts';

const type = nodeClaimConditions.disruptionReason;

const mark = async (
  shell: Shell,
  { node, condition }: { node: NodeView; condition: ConditionChange },
  signal: AbortSignal,
): Promise<void> => {
  const claim = shell.caches.nodeClaims.get({ name: node.claim?.metadata.name ?? '' });
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return;
  await writeClaimStatus(shell, { claim, conditions: [condition] }, { signal, nowMs: shell.clock.now() });
};

/** Keeps new pods off a command's nodes, and says why on their claims. Safe to repeat. */
export const closeCandidates = async (shell: Shell, { candidates, reason }: Command, signal: AbortSignal): Promise<void> => {
  await Promise.all(
    candidates.map(async ({ node }) => {
      const current = shell.caches.nodes.get({ name: node.name });
      if (current !== undefined) await taintDisrupted(shell, current, signal);
      await mark(shell, { node, condition: { type, status: 'True', reason, message: reason } }, signal);
    }),
  );
};

const openCandidate = async (shell: Shell, node: NodeView, signal: AbortSignal): Promise<void> => {
  const current = shell.caches.nodes.get({ name: node.name });
  if (current !== undefined && current.metadata.deletionTimestamp === undefined) await untaintDisrupted(shell, current, signal);
  await mark(shell, { node, condition: { type, cleared: true } }, signal);
};

/**
 * Opens nodes again that are not to go after all. Safe to repeat; nodes that are going anyway are left alone, and so is
 * one that triggers a bug. Errors: failures, once all others were tried.
 */
export const openCandidates = async (shell: Shell, nodes: readonly NodeView[], signal: AbortSignal): Promise<void> => {
  const failures = new Failures();
  const open = (node: NodeView): Promise<void> => {
    const named = node.claim
      ? ({ kind: 'NodeClaim', object: node.claim } as const)
      : ({ kind: 'Node', object: { metadata: { name: node.name } } } as const);
    return failures.apart(shell.state.guard.work({ ...named, signal }, () => openCandidate(shell, node, signal)));
  };
  await Promise.all(nodes.map(open));
  failures.throwIfAny('nodes could not be opened');
};

/** Why a command has not all of its replacements. */
const whyNotCreated = (refused: readonly RefusedClaim[]): string => {
  if (refused.length === 0) return 'limit';
  return refused.every(({ error }) => isAdmissionDenial(error)) ? 'denied' : 'refused';
};

/** A valid command, and its run. */
export interface ValidCommand {
  readonly run: CommandRun;
  readonly command: Command;
}

/**
 * Starts a command: closes its nodes and creates its replacements. Only then do the candidates count as on their way
 * out, so that nobody plans for their pods twice. False where the replacements would exceed a limit, or the API server
 * refuses one: then the command was abandoned.
 */
export const startCommand = async (deps: DisruptionDeps, { run, command }: ValidCommand, signal: AbortSignal): Promise<boolean> => {
  const { shell, runs } = deps;
  await closeCandidates(shell, command, signal);
  const { id, replacements, candidates: leaving } = run.summary;
  const annotations = { [REPLACES_ANNOTATION]: commandRecordText(recordOf(run)) };
  const refused: RefusedClaim[] = [];
  const onRefused = (each: RefusedClaim): void => void refused.push(each);
  const creation = { planned: replacements, reason: command.reason, attempt: id, leaving, annotations, onRefused };
  const claims = await createNodeClaims(shell, creation, signal);
  if (claims.length < replacements.length) {
    const why = whyNotCreated(refused);
    try {
      await abandonCommand(deps, { run, why }, signal);
    } finally {
      await reportRefusals(shell, { refused, blame: blameForReplacement }, signal);
    }
    return false;
  }
  const claimNames = claims.map(({ metadata }) => metadata.name);
  runs.set({ ...run, stage: { kind: 'replacing', claimNames } });
  shell.reporter.report({ kind: 'command-started', command: run.summary, claimNames });
  return true;
};

/** What a run needs next. */
export type NextStep =
  | { readonly kind: 'wait' }
  | { readonly kind: 'validate'; readonly command: Command }
  | { readonly kind: 'finish' }
  | { readonly kind: 'abandon'; readonly why: string };

export interface RunFacts {
  readonly nowMs: number;
  /** The candidates of all commands in progress together: the more, the longer each may take. */
  readonly candidateCount: number;
  /** When commands in progress are validated; epoch ms. */
  readonly validationsMs: readonly number[];
  /** Whether all replacements still exist. */
  readonly isExchanging: boolean;
  readonly claimNamed: (name: string) => NodeClaim | undefined;
}

const MIN_TIMEOUT_MS = 10 * 60_000;
const MAX_TIMEOUT_MS = 60 * 60_000;

/** Source: the original's `pkg/controllers/disruption/queue.go`: 80 ms a candidate, ten minutes at least, an hour at most. */
export const commandTimeoutMs = (candidateCount: number): number => Math.min(MAX_TIMEOUT_MS, Math.max(MIN_TIMEOUT_MS, 80 * candidateCount));

type Validating = Extract<CommandRun['stage'], { readonly kind: 'validating' }>;

/**
 * A command waits so long for others that are validated soon: their nodes are open until then, and kube-scheduler would
 * bind its pods there.
 */
const TOGETHER_MS = 5000;

/** Whether the time to validate has come. Commands on empty nodes do not wait for others: no pods move. */
const isValidationDue = ({ untilMs, command }: Validating, { nowMs, validationsMs }: RunFacts): boolean =>
  nowMs >= untilMs && (command.method === 'emptiness' || !validationsMs.some((ms) => ms > nowMs && ms <= untilMs + TOGETHER_MS));

/** The next step of a run. Candidates go only once every replacement is initialized. */
export const nextStep = ({ stage, startedMs }: CommandRun, facts: RunFacts): NextStep => {
  const { nowMs, candidateCount, isExchanging, claimNamed } = facts;
  const isLate = nowMs >= startedMs + commandTimeoutMs(candidateCount);
  switch (stage.kind) {
    case 'validating':
      if (isLate) return { kind: 'abandon', why: 'timeout' };
      return isValidationDue(stage, facts) ? { kind: 'validate', command: stage.command } : { kind: 'wait' };
    case 'starting':
      return { kind: 'wait' };
    case 'replacing': {
      if (!isExchanging) return { kind: 'abandon', why: 'replacement-gone' };
      const claims = stage.claimNames.map(claimNamed);
      if (claims.every((claim) => claim !== undefined && isInitialized(claim))) return { kind: 'finish' };
      return isLate ? { kind: 'abandon', why: 'timeout' } : { kind: 'wait' };
    }
    case 'called-off':
      return { kind: 'abandon', why: stage.why };
    default:
      return unreachable(stage);
  }
};

interface Replacement {
  readonly claim: NodeClaim;
  readonly nodePoolName: string;
  /** Pods can run there already, or are nominated for it. */
  readonly isNeeded: boolean;
}

const replacementIn = (view: NodeView, commandId: string): readonly Replacement[] => {
  const { claim, nodePoolName = '', isInitialized, isMarkedForDeletion, pods } = view;
  if (claim === undefined || isMarkedForDeletion || commandRecordOf(claim)?.id !== commandId) return [];
  return [{ claim, nodePoolName, isNeeded: isInitialized || pods.some(isReschedulable) }];
};

const unneededFirst = (a: Replacement, b: Replacement): number =>
  Number(a.isNeeded) - Number(b.isNeeded) || compareText(a.claim.metadata.name, b.claim.metadata.name);

/** Whether the limits of the pool and of the cluster hold with everything that there is now. */
const isWithinLimits = ({ caches, state }: Shell, { nodePoolName }: Replacement): boolean => {
  const pool = caches.nodePools.get({ name: nodePoolName });
  const shared = state.clusterLimits();
  if (shared !== undefined && clusterLimitBroken(shared) !== undefined) return false;
  return pool === undefined || limitBroken(pool, state.usageOf(nodePoolName)) === undefined;
};

/**
 * Dismisses the replacements of a command that was called off. Those that no pod needs yet are deleted, and so are
 * those that exceed the limits beside the nodes that now stay. The others become ordinary nodes, to be used or to be
 * found empty. Safe to repeat. Differs: the original leaves them all, so that a pool may stand above its limits.
 */
const dismissReplacements = async (shell: Shell, commandId: string, signal: AbortSignal): Promise<void> => {
  const views = shell.state.views(shell.clock.now());
  for (const replacement of views.flatMap((view) => replacementIn(view, commandId)).sort(unneededFirst)) {
    const { claim, isNeeded } = replacement;
    if (isNeeded && isWithinLimits(shell, replacement)) {
      await patchNodeClaim(shell, { claim, body: { metadata: { annotations: { [REPLACES_ANNOTATION]: null } } } }, { signal });
    } else await deleteNodeClaim(shell, claim, { reason: 'called_off', signal });
  }
};

/**
 * Notes that the replacement of nodes that stay has failed, so that other nodes go first. Writes it to the claims of
 * drifted nodes.
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

/**
 * Whether the next try waits. Other reasons to abandon a command say nothing about it; consolidation finds another
 * replacement unless the API server refuses this one.
 */
const isPutOff = (why: string, { summary: { reason } }: CommandRun): boolean =>
  isRefusedReplacement(why) || (reason === 'Drifted' && ['replacement-gone', 'timeout', 'limit'].includes(why));

/**
 * Takes a command back: its nodes stay, unless something else deletes them. First its replacements are dismissed, then
 * its nodes lose their taint. Whatever fails half-way is repeated, even by the next process.
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
  if (isPutOff(why, run)) await delayNextReplacement(deps, { nodes: staying, commandId: run.summary.id, why }, signal);
  runs.delete(run);
  shell.reporter.report({ kind: 'command-abandoned', command: run.summary, why });
};
