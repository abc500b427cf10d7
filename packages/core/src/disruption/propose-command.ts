import { finish } from '../base/index.ts';
import type { Steps } from '../base/index.ts';
import type { Command } from './command.ts';
import type { DisruptionContext } from './disruption-context.ts';
import { eligibleNodes } from './eligible-nodes.ts';
import { consolidationBlocker, isEmptyNode, isStatic } from './method-blocker.ts';
import { lookingForDrift } from './methods/drift.ts';
import type { DriftAnswer } from './methods/drift.ts';
import { emptiness } from './methods/emptiness.ts';
import { lookingForSeveral } from './methods/multi-node.ts';
import { lookingForOne } from './methods/single-node.ts';
import { lookingForStaticDrift } from './methods/static-drift.ts';
import { startingPass } from './pass.ts';
import type { Pass } from './pass.ts';
import type { Proposal } from './proposal.ts';
import type { Surveyed } from './survey.ts';

/** The nodes with pods that no rule keeps from being consolidated; the others are noted. */
const consolidatableOf = (pass: Pass): readonly Surveyed[] =>
  pass.candidates.filter((candidate) => {
    if (isEmptyNode(candidate) && !isStatic(candidate)) return false;
    const blocker = consolidationBlocker(candidate);
    if (blocker !== undefined) pass.note(candidate.node.name, blocker);
    return blocker === undefined;
  });

type LookedAt = Pick<DisruptionContext, 'lookedAt' | 'driftLookedAt'>;

const NOTHING: ReadonlySet<string> = new Set();

const proposal = (pass: Pass, command: Command | undefined, rounds: LookedAt): Proposal => {
  const { lookedAt = NOTHING, driftLookedAt = NOTHING } = { ...pass.context, ...rounds };
  if (command !== undefined) {
    for (const { node } of pass.candidates) pass.note(node.name, { kind: 'after-command', method: command.method });
  }
  const blocked = new Map(pass.blocked);
  for (const { node } of command?.candidates ?? []) blocked.delete(node.name);
  return {
    ...(command === undefined ? {} : { command }),
    ...{ blocked, lookedAt, driftLookedAt, weighed: pass.weighed },
    eligible: eligibleNodes(pass.candidates),
  };
};

/** Of nodes that are empty, or not what they should be any more. */
function* lookingForUrgent(pass: Pass): Steps<Partial<DriftAnswer>> {
  const { begins } = pass.context;
  begins?.('emptiness');
  const empty = emptiness(pass);
  if (empty !== undefined) return { command: empty };
  begins?.('static-drift');
  const drifted = yield* lookingForStaticDrift(pass);
  if (drifted !== undefined) return { command: drifted };
  begins?.('drift');
  return yield* lookingForDrift(pass);
}

/**
 * The first command that a method finds: empty nodes, drifted nodes of static pools, other drifted nodes, several underused nodes, a single
 * underused node. The same snapshot gives the same command, wherever the steps are interrupted. Every node of Karpenter's is in the command
 * or has a reason to stay. A pass over thousands of nodes takes about a second, each of its steps some milliseconds.
 */
export function* proposing(context: DisruptionContext): Steps<Proposal> {
  const pass = yield* startingPass(context);
  const urgent = yield* lookingForUrgent(pass);
  const rounds = urgent.lookedAt === undefined ? {} : { driftLookedAt: urgent.lookedAt };
  if (urgent.command !== undefined) return proposal(pass, urgent.command, rounds);
  yield;
  const consolidatable = consolidatableOf(pass);
  context.begins?.('multi-node');
  const several = yield* lookingForSeveral(pass, consolidatable);
  if (several !== undefined) return proposal(pass, several, rounds);
  context.begins?.('single-node');
  const { command, lookedAt } = yield* lookingForOne(pass, consolidatable);
  return proposal(pass, command, { ...rounds, lookedAt });
}

/** The proposal of `proposing`, without a pause. */
export const proposeCommand = (context: DisruptionContext): Proposal => finish(proposing(context));
