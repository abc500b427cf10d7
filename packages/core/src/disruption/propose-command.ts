import type { Command } from './command.ts';
import type { DisruptionContext } from './disruption-context.ts';
import { consolidationBlocker, isEmptyNode } from './method-blocker.ts';
import { drift } from './methods/drift.ts';
import { emptiness } from './methods/emptiness.ts';
import { multiNode } from './methods/multi-node.ts';
import { singleNode } from './methods/single-node.ts';
import { startPass } from './pass.ts';
import type { Pass } from './pass.ts';
import type { Proposal } from './proposal.ts';
import type { Surveyed } from './survey.ts';

/** The nodes with pods that no rule keeps from being consolidated; the others are noted. */
const consolidatableOf = (pass: Pass): readonly Surveyed[] =>
  pass.candidates.filter((candidate) => {
    if (isEmptyNode(candidate)) return false;
    const blocker = consolidationBlocker(candidate);
    if (blocker !== undefined) pass.note(candidate.node.name, blocker);
    return blocker === undefined;
  });

const proposal = (pass: Pass, command: Command | undefined, unreachedPools: readonly string[] = []): Proposal => {
  const blocked = new Map(pass.blocked);
  for (const { node } of command?.candidates ?? []) blocked.delete(node.name);
  return { ...(command === undefined ? {} : { command }), blocked, unreachedPools };
};

/**
 * The first command that a method finds: empty nodes, drifted nodes, several underused nodes, a single underused node. The same snapshot
 * gives the same command. Nodes that no method came to, because an earlier one had found something, are not in `blocked`.
 */
export const proposeCommand = (context: DisruptionContext): Proposal => {
  const pass = startPass(context);
  const urgent = emptiness(pass) ?? drift(pass);
  if (urgent !== undefined) return proposal(pass, urgent);
  const consolidatable = consolidatableOf(pass);
  const several = multiNode(pass, consolidatable);
  if (several !== undefined) return proposal(pass, several);
  const { command, unreachedPools } = singleNode(pass, consolidatable);
  return proposal(pass, command, unreachedPools);
};
