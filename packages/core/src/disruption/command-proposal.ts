import { finish } from '../base/index.ts';
import type { Steps } from '../base/index.ts';
import type { Command } from './command.ts';
import type { DisruptionContext, Hold, RebalanceLimits, Stillness } from './disruption-context.ts';
import {
  bufferBlocker,
  consolidationBlocker,
  eligibleNodes,
  isEmptyNode,
  isStatic,
  refusalBlocker,
  targetBlocker,
} from './blockers/method-blocker.ts';
import { proposingDrift, proposingStaticDrift } from './methods/drift-replacement.ts';
import type { DriftAnswer } from './methods/drift-replacement.ts';
import { proposingEmptiness } from './methods/emptiness.ts';
import { passesOver, proposingMultiNode } from './methods/multi-node.ts';
import { proposingSingleNode } from './methods/single-node.ts';
import { proposingWave } from './rebalance/rebalance.ts';
import type { BufferPlaces, Pass } from './pass/pass.ts';
import { startingPass } from './pass/pass.ts';
import { holdIn, nextSettledMs, repeatBlockers, stillnessAfter, stillnessIn } from './pass/stillness.ts';
import type { Proposal } from './command.ts';
import type { DisruptionCandidate } from './pass/survey.ts';

/**
 * The nodes with pods or room of buffers, or kept by a minimum, that nothing blocks from consolidation; the blockers of
 * the others are noted.
 */
const consolidatableOf = (pass: Pass, { hosts }: BufferPlaces): readonly DisruptionCandidate[] =>
  pass.candidates.filter((candidate) => {
    const buffers = hosts.get(candidate.node.name);
    const isKept = buffers !== undefined || pass.blocked.get(candidate.node.name)?.kind === 'minimum';
    if (isEmptyNode(candidate) && !isStatic(candidate) && !isKept) return false;
    const blocker =
      bufferBlocker(candidate, buffers) ??
      consolidationBlocker(candidate) ??
      targetBlocker(candidate, pass.context) ??
      refusalBlocker(candidate, pass.context);
    if (blocker !== undefined) pass.note(candidate.node.name, blocker);
    return blocker === undefined;
  });

type Evaluated = Pick<DisruptionContext, 'evaluated' | 'driftEvaluated'>;

const NOTHING: ReadonlySet<string> = new Set();

const proposal = (pass: Pass, command: Command | undefined, rounds: Evaluated): Proposal => {
  const { evaluated = NOTHING, driftEvaluated = NOTHING } = { ...pass.context, ...rounds };
  if (command !== undefined) {
    for (const { node } of pass.candidates) pass.note(node.name, { kind: 'after-command', method: command.method });
  }
  const blocked = new Map(pass.blocked);
  for (const { node } of command?.candidates ?? []) blocked.delete(node.name);
  return {
    ...(command === undefined ? {} : { command }),
    ...{ blocked, evaluated, driftEvaluated, weighed: pass.weighed },
    eligible: eligibleNodes(pass.candidates),
    nextSettledMs: nextSettledMs(pass),
  };
};

/** Emptiness and drift: they come first, and may go past what blocks consolidation. */
function* proposingUrgent(pass: Pass): Steps<Partial<DriftAnswer>> {
  const { onMethodStart } = pass.context;
  onMethodStart?.('emptiness');
  const empty = yield* proposingEmptiness(pass);
  if (empty !== undefined) return { command: empty };
  onMethodStart?.('static-drift');
  const drifted = yield* proposingStaticDrift(pass);
  if (drifted !== undefined) return { command: drifted };
  onMethodStart?.('drift');
  return yield* proposingDrift(pass);
}

/** The next wave of a rebalance; none while the one before it is under way. */
function* rebalancingNodes(pass: Pass, limits: RebalanceLimits | 'under-way', rounds: Evaluated): Steps<Proposal> {
  const notePending = (): void => {
    for (const { node } of pass.candidates) pass.note(node.name, { kind: 'after-command', method: 'rebalance' });
  };
  if (limits === 'under-way') {
    notePending();
    return proposal(pass, undefined, rounds);
  }
  pass.context.onMethodStart?.('rebalance');
  const { command, outlook } = yield* proposingWave(pass, limits);
  notePending();
  return { ...proposal(pass, command, rounds), rebalance: outlook };
}

interface Search {
  readonly consolidatable: readonly DisruptionCandidate[];
  readonly rounds: Evaluated;
  /** The searches of the same that found nothing; see `Stillness`. */
  readonly still: Stillness | undefined;
}

/** No search yet: the nodes are evaluated together with those whose pods settle next. */
const holdingBack = (pass: Pass, { consolidatable, rounds, still }: Search, hold: Hold): Proposal => {
  for (const { node } of consolidatable) pass.note(node.name, { kind: 'others-settling' });
  return { ...proposal(pass, undefined, rounds), hold, ...(still && { still }) };
};

/** Several underused nodes, else a single one. */
function* consolidatingNodes(pass: Pass, { consolidatable, rounds, still: stillBefore }: Search): Steps<Proposal> {
  const { onMethodStart, shouldStop, evaluated: before = NOTHING } = pass.context;
  onMethodStart?.('multi-node');
  const several = yield* proposingMultiNode(pass, consolidatable);
  if (several !== undefined) return proposal(pass, several, rounds);
  const isWhole = before.size === 0 && !shouldStop();
  onMethodStart?.('single-node');
  const { command, evaluated } = yield* proposingSingleNode(pass, consolidatable);
  const still = isWhole && command === undefined ? stillnessAfter(pass, consolidatable, stillBefore) : undefined;
  return { ...proposal(pass, command, { ...rounds, evaluated }), ...(still && { still }) };
}

/**
 * The first command that a method finds: empty nodes, drifted nodes of static pools, other drifted nodes, several
 * underused nodes, a single underused node; a wave of a rebalance in place of the last two if there is one. The same
 * snapshot gives the same command, wherever the steps are interrupted. Each of Karpenter's nodes is in the command or
 * has a blocker. Where the last passes found nothing and nothing has changed since, the last two do not search again for
 * five minutes. A pass over thousands of nodes takes about a second, each of its steps some milliseconds.
 */
export function* proposing(context: DisruptionContext): Steps<Proposal> {
  const pass = yield* startingPass(context);
  const urgent = yield* proposingUrgent(pass);
  const rounds = urgent.evaluated === undefined ? {} : { driftEvaluated: urgent.evaluated };
  if (urgent.command !== undefined) {
    const { hold: held } = context;
    return { ...proposal(pass, urgent.command, rounds), ...(held && { hold: held }) };
  }
  yield;
  if (context.rebalance !== undefined) return yield* rebalancingNodes(pass, context.rebalance, rounds);
  const consolidatable = consolidatableOf(pass, yield* pass.bufferPlaces());
  const hold = consolidatable.length > 0 ? holdIn(pass) : undefined;
  if (hold !== undefined) return holdingBack(pass, { consolidatable, rounds, still: context.still }, hold);
  const still = stillnessIn(pass, consolidatable);
  if (still !== undefined && still.passes >= passesOver(pass, consolidatable)) {
    repeatBlockers(pass, still);
    return { ...proposal(pass, undefined, { ...rounds, evaluated: NOTHING }), still };
  }
  return yield* consolidatingNodes(pass, { consolidatable, rounds, still });
}

/**
 * The next nodes to delete and what replaces them, or what blocks each node. It is `proposing` without a pause: over
 * thousands of nodes it holds the thread for about a second. The same snapshot gives the same answer. Hand `evaluated`,
 * `driftEvaluated`, `still` and `hold` of the answer to the next pass.
 */
export const proposeCommand = (context: DisruptionContext): Proposal => finish(proposing(context));
