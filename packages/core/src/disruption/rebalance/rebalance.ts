import { finish } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import { addResources } from '../../kube/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { splitPlan } from '../../scheduling/index.ts';
import type { Plan } from '../../scheduling/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import { bufferBlocker, consolidationBlocker, refusalBlocker } from '../blockers/method-blocker.ts';
import { bySavings, countMoves } from '../candidates/candidate.ts';
import type { DisruptionContext, RebalanceLimits } from '../disruption-context.ts';
import { minimumLedger } from '../pass/minimum-ledger.ts';
import { startingPass } from '../pass/pass.ts';
import type { Pass } from '../pass/pass.ts';
import type { DisruptionCandidate } from '../pass/survey.ts';
import { choosingLeavers } from './leaving-nodes.ts';
import { plannedNodeView } from './planned-node-view.ts';
import { cuttingWaves, findingHomeless } from './waves.ts';
import type { CutWaves, RebalanceWave } from './waves.ts';
import type { Command, Proposal } from '../command.ts';

/** Nodes to delete together and machines in their place, wave by wave. */
export interface Rebalance {
  /** Each starts when the pods of the one before it run again. Empty: nothing saves anything. */
  readonly waves: readonly RebalanceWave[];
  /** After the last wave, if each machine that comes is the cheapest that it may be. */
  readonly savingsPerHour: number;
  /** Node name → why it stays. Holds exactly Karpenter's nodes that are in no wave. */
  readonly blocked: ReadonlyMap<string, Blocker>;
}

/**
 * The cluster once its pending pods, and those of nodes on their way out, run where the plan puts them. Pods without a
 * place stay pending.
 */
const provisioned = (snapshot: ClusterSnapshot, plan: Plan): ClusterSnapshot => {
  const leaving = snapshot.nodes.filter(({ isMarkedForDeletion }) => isMarkedForDeletion);
  if (snapshot.pendingPods.length === 0 && leaving.length === 0) return snapshot;
  const { placements, plannedNodes, rejections } = splitPlan(plan, snapshot.buffers ?? []).plan;
  const nodes = snapshot.nodes.map((node) => {
    if (node.isMarkedForDeletion) return { ...node, pods: [] };
    const coming = placements.get(node.name);
    return coming === undefined ? node : { ...node, pods: [...node.pods, ...coming] };
  });
  const machines = plannedNodes
    .filter(({ pods }) => pods.length > 0)
    .map((planned, index) => plannedNodeView(planned, `pending-${index + 1}`));
  const nodePools = snapshot.nodePools.map((view) => {
    const own = machines.filter(({ nodePoolName }) => nodePoolName === view.nodePool.metadata.name);
    return { ...view, usage: own.reduce((usage, { capacity }) => addResources(usage, { ...capacity, nodes: 1 }), view.usage) };
  });
  return { ...snapshot, nodes: [...nodes, ...machines], nodePools, pendingPods: rejections.map(({ pod }) => pod) };
};

const blockerOf = (candidate: DisruptionCandidate, hosts: ReadonlyMap<string, readonly string[]>): Blocker | undefined =>
  bufferBlocker(candidate, hosts.get(candidate.node.name)) ?? consolidationBlocker(candidate);

/**
 * The nodes that may go, empty ones among them, as far as each pool keeps its minimum without them; the blockers of the
 * others are noted.
 */
function* findingMovable(pass: Pass): Steps<readonly DisruptionCandidate[]> {
  const { hosts } = yield* pass.bufferPlaces();
  const keptBy = minimumLedger(pass.context);
  return [...pass.candidates].sort(bySavings).filter((candidate) => {
    const blocker = blockerOf(candidate, hosts) ?? refusalBlocker(candidate, pass.context) ?? keptBy(candidate);
    if (blocker !== undefined) pass.note(candidate.node.name, blocker);
    return blocker === undefined;
  });
}

/** After so many sets no further one is searched for. */
const MOST_ROUNDS = 8;

/** One set of nodes, and the cluster without them. */
interface Round extends Pick<CutWaves, 'waves' | 'after'> {
  readonly candidates: readonly DisruptionCandidate[];
  readonly blocked: ReadonlyMap<string, Blocker>;
}

/** The set that saves most. Where a limit of a pool has no room for the machines of its first wave, one of half the moves. */
function* makingRound(context: DisruptionContext, limits: RebalanceLimits, round: number): Steps<Round> {
  const pass = yield* startingPass(context);
  const candidates = yield* findingMovable(pass);
  for (let { mostMoves } = limits; ;) {
    const leaving = yield* choosingLeavers(pass, candidates, { mostMoves });
    if (leaving === undefined) return { waves: [], after: context.snapshot, candidates, blocked: pass.blocked };
    const { waves, after, isLimited } = yield* cuttingWaves(pass, leaving, round);
    mostMoves = Math.floor(countMoves(leaving.candidates) / 2);
    if (waves.length > 0 || !isLimited || mostMoves === 0) return { waves, after, candidates, blocked: pass.blocked };
  }
}

const stayingOf = ({ candidates, blocked }: Round): ReadonlyMap<string, Blocker> => {
  const dearer = candidates.map(({ node, pricePerHour }): readonly [string, Blocker] => [
    node.name,
    { kind: 'no-cheaper-replacement', pricePerHour, cheapestReplacement: pricePerHour, replacements: 1 },
  ]);
  return new Map([...dearer, ...blocked]);
};

const movesOf = (waves: readonly RebalanceWave[]): number =>
  waves.flatMap(({ moves }) => [...moves.values()]).reduce((sum, { length }) => sum + length, 0);

/**
 * Sets of nodes that save most if each set goes together, found by packing all pods that may move. They form waves
 * within the budgets of pools and the PodDisruptionBudgets. Blockers, budgets and prices count as for consolidation;
 * whether a move is worth its disruption is left to who asked for it. Costs about a dozen plans of the whole cluster
 * for each set, and one for each wave.
 */
export function* rebalancing(given: DisruptionContext, limits: RebalanceLimits): Steps<Rebalance> {
  const before = yield* startingPass(given);
  let snapshot = provisioned(before.context.snapshot, yield* before.baseline('cheapest'));
  const waves: RebalanceWave[] = [];
  for (let round = 1; ; round++) {
    const mostMoves = limits.mostMoves - movesOf(waves);
    const found = yield* makingRound({ ...given, snapshot }, { mostMoves }, round);
    waves.push(...found.waves);
    snapshot = found.after;
    if (found.waves.length > 0 && round < MOST_ROUNDS && !given.shouldStop()) continue;
    const gone = new Set(waves.flatMap(({ candidates }) => candidates.map(({ node }) => node.name)));
    const savingsPerHour = waves.reduce((sum, wave) => sum + wave.savingsPerHour, 0);
    const staying = [...before.blocked, ...stayingOf(found)].filter(([name]) => !gone.has(name));
    return { waves, savingsPerHour, blocked: new Map(staying) };
  }
}

/**
 * Waves of moves after which the same pods run on the cheapest nodes found. It is `rebalancing` without a pause, and
 * costs as much: about a dozen plans of the whole cluster for each set of nodes, at most eight sets. No wave: nothing
 * saves. `savingsPerHour` is in dollars, of all waves together.
 */
export const rebalance = (context: DisruptionContext, limits: RebalanceLimits): Rebalance => finish(rebalancing(context, limits));

/** The first wave as a command, and what the plan comes to. */
export interface FirstWave {
  readonly command?: Command;
  readonly outlook: NonNullable<Proposal['rebalance']>;
}

/** What keeps a node and ends by itself. */
const PASSING: ReadonlySet<Blocker['kind']> = new Set([
  ...(['nominated', 'not-initialized', 'pdb', 'budget', 'limit', 'replacement-failed'] as const),
  ...(['uninitialized-target', 'settling-target', 'after-command', 'stopped'] as const),
]);

/** Whether what keeps a node may end without anybody changing a NodePool or a pod. */
const mayPass = (blocker: Blocker): boolean => {
  if (blocker.kind === 'consolidate-after') return blocker.consolidateAfter !== 'Never';
  if (blocker.kind === 'do-not-disrupt-pod') return blocker.untilMs !== undefined;
  return PASSING.has(blocker.kind);
};

/**
 * Whether all pods of the nodes have a place. Pending pods take theirs first, and machines that are to come for those
 * take none of them.
 */
export function* checkingPlaces(pass: Pass, command: Pick<Command, 'candidates' | 'replacements'>): Steps<boolean> {
  const { snapshot } = pass.context;
  const known = new Set(snapshot.nodes.map(({ name }) => name));
  const after = provisioned(snapshot, yield* pass.baseline('cheapest'));
  const nodes = after.nodes.filter(({ name }) => known.has(name));
  return (yield* findingHomeless(pass, { ...command, snapshot: { ...after, nodes } })).length === 0;
}

/** The wave with the nodes as the pass has them; undefined if one of them is no candidate of the pass. */
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
  const mayStart = command !== undefined && (yield* checkingPlaces(pass, command));
  if (!mayStart) for (const { node } of command?.candidates ?? []) pass.note(node.name, { kind: 'after-command', method: 'rebalance' });
  const heldUp = new Map([...pass.blocked].filter(([, each]) => mayPass(each)));
  const outlook = { savingsPerHour, waves: waves.length, heldUp };
  return mayStart ? { command, outlook } : { outlook };
}
