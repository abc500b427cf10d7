import type { Steps } from '../../base/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import type { Command, Proposal } from '../command.ts';
import type { Pass } from '../pass/pass.ts';
import type { RebalanceLimits } from '../disruption-context.ts';
import { provisioned, rebalancing } from './rebalance.ts';
import { findingHomeless } from './waves.ts';
import type { RebalanceWave } from './waves.ts';

/** The first wave as a command, and what the plan comes to. */
export interface FirstWave {
  readonly command?: Command;
  readonly outlook: NonNullable<Proposal['rebalance']>;
}

/** What keeps a node and ends by itself. */
const PASSING: ReadonlySet<Blocker['kind']> = new Set([
  ...(['nominated', 'not-initialized', 'pdb', 'budget', 'limit'] as const),
  ...(['uninitialized-target', 'settling-target', 'after-command', 'stopped'] as const),
]);

/** Whether what keeps a node may end without anybody changing a NodePool or a pod. */
const mayPass = (blocker: Blocker): boolean => {
  if (blocker.kind === 'consolidate-after') return blocker.consolidateAfter !== 'Never';
  if (blocker.kind === 'do-not-disrupt-pod') return blocker.untilMs !== undefined;
  return PASSING.has(blocker.kind);
};

/**
 * Whether all pods of the nodes have a place: pending pods take theirs first, and machines that are to come for those
 * take none of them.
 */
export function* areAllPlaced(pass: Pass, command: Pick<Command, 'candidates' | 'replacements'>): Steps<boolean> {
  const { snapshot } = pass.context;
  const known = new Set(snapshot.nodes.map(({ name }) => name));
  const after = provisioned(snapshot, yield* pass.baseline('cheapest'));
  const nodes = after.nodes.filter(({ name }) => known.has(name));
  return (yield* findingHomeless(pass, { ...command, snapshot: { ...after, nodes } })).length === 0;
}

/** The wave with the nodes as the pass has them; undefined if one of them is none of its candidates. */
const commandOf = ({ candidates: all }: Pass, { candidates, machines, savingsPerHour }: RebalanceWave): Command | undefined => {
  const byName = new Map(all.map((candidate) => [candidate.node.name, candidate]));
  const known = candidates.flatMap(({ node }) => byName.get(node.name) ?? []);
  if (known.length < candidates.length) return undefined;
  const replacements = [...machines.values()];
  const decision = replacements.length === 0 ? 'delete' : 'replace';
  return { method: 'rebalance', reason: 'Underutilized', decision, candidates: known, replacements, savingsPerHour };
};

/**
 * The first wave of a rebalance. Differs from consolidation: the wave by itself may cost more than it saves, because
 * all waves together save; and it need not be worth its disruption, because somebody asked for it. Blockers and budgets
 * count as always.
 */
export function* proposingWave(pass: Pass, limits: RebalanceLimits): Steps<FirstWave> {
  const { waves, savingsPerHour, blocked } = yield* rebalancing(pass.context, limits);
  const [first] = waves;
  const command = first && commandOf(pass, first);
  for (const [name, each] of blocked) pass.note(name, each);
  const mayStart = command !== undefined && (yield* areAllPlaced(pass, command));
  if (!mayStart) for (const { node } of command?.candidates ?? []) pass.note(node.name, { kind: 'after-command', method: 'rebalance' });
  const heldUp = new Map([...pass.blocked].filter(([, each]) => mayPass(each)));
  const outlook = { savingsPerHour, waves: waves.length, heldUp };
  return mayStart ? { command, outlook } : { outlook };
}
