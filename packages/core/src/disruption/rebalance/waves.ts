import type { Steps } from '../../base/index.ts';
import { compareText, finish, highestOf, ROUNDING } from '../../base/index.ts';
import { isEvictedByDrain, readingBudgets } from '../../cluster/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { addResources, firstShortage, resourcesOf, subtractResources } from '../../kube/index.ts';
import type { Pod, PodDisruptionBudget, Resources } from '../../kube/index.ts';
import { largestCapacityOf, preparingWhatIf } from '../../scheduling/index.ts';
import type { Plan, PlannedNode } from '../../scheduling/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import { budgetLedger } from '../budgets/budget-ledger.ts';
import { plannedPrice } from '../candidates/candidate.ts';
import { totalPrice } from '../consolidation/cheaper-replacement.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { Command } from '../command.ts';
import type { Pass } from '../pass/pass.ts';
import { unplacedBlocker } from '../pass/relocation.ts';
import type { Leavers } from './leaving-nodes.ts';
import { plannedNodeView } from './planned-node-view.ts';

/** Nodes that go at once, after the machines that their pods need have come. */
export interface RebalanceWave {
  /** Name of the machine in `moves` → what is launched. */
  readonly machines: ReadonlyMap<string, PlannedNode>;
  /** Never empty. */
  readonly candidates: readonly Candidate[];
  /** Node or machine → the pods that move there. */
  readonly moves: ReadonlyMap<string, readonly Pod[]>;
  /** Below zero where the machines serve later waves too. */
  readonly savingsPerHour: number;
}

/** The cluster between two waves. */
interface Progress {
  readonly snapshot: ClusterSnapshot;
  /** Machines that have not come yet. */
  readonly machines: ReadonlyMap<string, PlannedNode>;
  /** In the order in which they go. */
  readonly remaining: readonly Candidate[];
}

/** The nodes without machines in their place first, then those that share a machine together. */
const inOrder = ({ candidates, machines }: Leavers): readonly Candidate[] => {
  const machineOf = new Map(machines.flatMap(({ pods }, index) => pods.map((pod) => [pod, index + 1] as const)));
  const rankOf = ({ reschedulablePods }: Candidate): number =>
    highestOf(
      reschedulablePods.map((pod) => machineOf.get(pod) ?? 0),
      0,
    );
  return [...candidates].sort((a, b) => rankOf(a) - rankOf(b) || compareText(a.node.name, b.node.name));
};

/**
 * Counts evictions by PodDisruptionBudget: so many as it allows now, or those of one node, whose drain waits for the
 * budget itself.
 */
const pdbLedger = ({ podDisruptionBudgets, nodes }: ClusterSnapshot): ((candidate: Candidate) => boolean) => {
  const { budgetsOf } = finish(readingBudgets(podDisruptionBudgets, nodes));
  const taken = new Map<PodDisruptionBudget, number>();
  return ({ node }) => {
    const counts = new Map<PodDisruptionBudget, number>();
    for (const pod of node.pods.filter(isEvictedByDrain))
      for (const budget of budgetsOf(pod)) counts.set(budget, (counts.get(budget) ?? 0) + 1);
    const fits = [...counts].every(([budget, count]) => {
      const before = taken.get(budget) ?? 0;
      return before === 0 || before + count <= (budget.status?.disruptionsAllowed ?? 0);
    });
    if (fits) for (const [budget, count] of counts) taken.set(budget, (taken.get(budget) ?? 0) + count);
    return fits;
  };
};

/** As many of the nodes as may go at once. */
const firstOf = ({ context }: Pass, { snapshot, remaining }: Progress): readonly Candidate[] => {
  const budget = budgetLedger({ ...context, snapshot }, 'Underutilized');
  const takesEvictions = pdbLedger(snapshot);
  return remaining.filter((candidate) => {
    const name = candidate.nodePool.nodePool.metadata.name;
    return budget.left(name) > 0 && takesEvictions(candidate) && budget.take(name);
  });
};

/** The cluster with machines beside its nodes, on which nothing runs yet. */
const withMachines = (snapshot: ClusterSnapshot, machines: ReadonlyMap<string, PlannedNode>): ClusterSnapshot => ({
  ...snapshot,
  nodes: [...snapshot.nodes, ...Array.from(machines, ([name, planned]) => plannedNodeView({ ...planned, pods: [] }, name))],
});

/** Where the pods of the nodes go, with these machines there and no others; nodes that go in a later wave take none. */
function* placing(
  pass: Pass,
  { snapshot, remaining }: Progress,
  { wave, machines }: { readonly wave: readonly Candidate[]; readonly machines: ReadonlyMap<string, PlannedNode> },
): Steps<Plan> {
  const nodePools = snapshot.nodePools.map((view) => ({ ...view, mayLaunch: false as const }));
  const { policy, nowMs } = pass.context;
  const whatIf = yield* preparingWhatIf({ ...withMachines(snapshot, machines), nodePools, pendingPods: [] }, { ...policy, nowMs });
  const comingUp = snapshot.nodes.filter(({ name }) => pass.isComingUp(name)).map(({ name }) => name);
  const closed = new Set([...pass.settling, ...comingUp, ...remaining.map(({ node }) => node.name)]);
  return yield* whatIf.asking(new Set(wave.map(({ node }) => node.name)), { packing: 'first-fit', closed });
}

/**
 * The pods of the nodes that find no place on the other nodes and these machines. `snapshot`: the cluster with the
 * pending pods in their places.
 */
export function* findingHomeless(
  pass: Pass,
  { snapshot, candidates, replacements }: Pick<Progress, 'snapshot'> & Pick<Command, 'candidates' | 'replacements'>,
): Steps<readonly Pod[]> {
  const machines = new Map(replacements.map((planned, index) => [`new-${index + 1}`, planned]));
  const { rejections } = yield* placing(pass, { snapshot, machines, remaining: candidates }, { wave: candidates, machines });
  const moving = new Set(candidates.flatMap(({ reschedulablePods }) => reschedulablePods));
  return rejections.flatMap(({ pod }) => (moving.has(pod) ? [pod] : []));
}

const usageAfter = (snapshot: ClusterSnapshot, { machines, candidates }: RebalanceWave): ClusterSnapshot['nodePools'] => {
  const coming = Array.from(machines.values(), ({ nodePoolName, cheapest }) => ({
    nodePoolName,
    capacity: cheapest.instanceType.capacity,
  }));
  return snapshot.nodePools.map((view) => {
    const isOwn = ({ nodePoolName }: { readonly nodePoolName?: string }): boolean => nodePoolName === view.nodePool.metadata.name;
    const more = coming.filter(isOwn).reduce((usage, { capacity }) => addResources(usage, { ...capacity, nodes: 1 }), view.usage);
    const gone = candidates.map(({ node }) => node).filter(isOwn);
    return { ...view, usage: gone.reduce((usage, { capacity }) => subtractResources(usage, { ...capacity, nodes: 1 }), more) };
  });
};

/** The limit of a pool that its machines would exceed once the nodes of the wave are gone, whatever the cloud picks. */
const limitBlocker = ({ nodePools }: ClusterSnapshot, { candidates, machines }: RebalanceWave): Blocker | undefined => {
  for (const { nodePool, usage } of nodePools) {
    const { name: nodePoolName } = nodePool.metadata;
    const limits = resourcesOf(nodePool.spec.limits);
    const coming = [...machines.values()].filter((each) => each.nodePoolName === nodePoolName).map(largestCapacityOf);
    const going = candidates.flatMap(({ node }) => (node.nodePoolName === nodePoolName ? [{ ...node.capacity, nodes: 1 }] : []));
    const after = going.reduce<Resources>(subtractResources, coming.reduce<Resources>(addResources, usage));
    const resource = firstShortage(Object.fromEntries(Object.keys(limits).map((name) => [name, after[name] ?? 0])), limits);
    if (coming.length > 0 && resource !== undefined) return { kind: 'limit', nodePoolName, resource };
  }
  return undefined;
};

/** The cluster once the wave is through and its pods run again. */
const afterWave = (snapshot: ClusterSnapshot, wave: RebalanceWave): ClusterSnapshot => {
  const gone = new Set(wave.candidates.map(({ node }) => node.name));
  const nodes = withMachines(snapshot, wave.machines).nodes.filter(({ name }) => !gone.has(name));
  return {
    ...snapshot,
    nodePools: usageAfter(snapshot, wave),
    nodes: nodes.map((node) => {
      const coming = wave.moves.get(node.name);
      return coming === undefined ? node : { ...node, pods: [...node.pods, ...coming] };
    }),
  };
};

/** Where the plan puts pods of the nodes; virtual pods of buffers aside. */
const movesIn = ({ placements }: Plan, wave: readonly Candidate[]): ReadonlyMap<string, readonly Pod[]> => {
  const moved = new Set(wave.flatMap(({ reschedulablePods }) => reschedulablePods));
  const moves = Array.from(placements, ([name, pods]) => [name, pods.filter((pod) => moved.has(pod))] as const);
  return new Map(moves.filter(([, pods]) => pods.length > 0));
};

interface WaveOrStaying {
  readonly wave: RebalanceWave | undefined;
  readonly staying: readonly Candidate[];
}

/** The next wave, and the nodes among its own whose pods found no place meanwhile: they stay. */
function* planningWave(pass: Pass, progress: Progress): Steps<WaveOrStaying> {
  const staying: Candidate[] = [];
  let wave = firstOf(pass, progress);
  while (wave.length > 0) {
    const plan = yield* placing(pass, progress, { wave, machines: progress.machines });
    const homeless = new Set(plan.rejections.map(({ pod }) => pod));
    const isHomeless = ({ reschedulablePods }: Candidate): boolean => reschedulablePods.some((pod) => homeless.has(pod));
    if (!wave.some(isHomeless)) {
      const machines = new Map([...progress.machines].filter(([name]) => plan.placements.has(name)));
      const savingsPerHour = totalPrice(wave) - plannedPrice([...machines.values()], pass.context.policy);
      return { wave: { machines, candidates: wave, moves: movesIn(plan, wave), savingsPerHour }, staying };
    }
    for (const candidate of wave.filter(isHomeless)) {
      staying.push(candidate);
      const own = new Set(candidate.reschedulablePods);
      const blocker = unplacedBlocker(plan.rejections.filter(({ pod }) => own.has(pod)));
      if (blocker !== undefined) pass.note(candidate.node.name, blocker);
    }
    wave = wave.filter((candidate) => !isHomeless(candidate));
  }
  return { wave: undefined, staying };
}

/** Notes the budgets that keep the remaining nodes. */
const noteBudgets = (pass: Pass, { snapshot, remaining }: Progress): void => {
  const ledger = budgetLedger({ ...pass.context, snapshot }, 'Underutilized');
  for (const { node, nodePool } of remaining) {
    const blocker = ledger.blocker(nodePool.nodePool.metadata.name);
    if (blocker !== undefined) pass.note(node.name, blocker);
  }
};

/** A wave, and the cluster once it is through. */
interface Step {
  readonly wave: RebalanceWave;
  readonly after: ClusterSnapshot;
}

/** The waves up to the one after which the cluster costs least. */
const worthwhile = (steps: readonly Step[]): readonly Step[] => {
  let [saved, most, count] = [0, 0, 0];
  for (const [index, { wave }] of steps.entries()) {
    saved += wave.savingsPerHour;
    if (saved > most + ROUNDING) [most, count] = [saved, index + 1];
  }
  return steps.slice(0, count);
};

/** What waves come to. */
export interface CutWaves {
  readonly waves: readonly RebalanceWave[];
  /** The cluster once all are through. */
  readonly after: ClusterSnapshot;
  /** Whether a limit of a pool keeps a wave from starting. */
  readonly isLimited: boolean;
}

/** Notes the limit or the budgets that keep the remaining nodes. */
const noteRemaining = (pass: Pass, progress: Progress, limit: Blocker | undefined): void => {
  if (limit !== undefined) for (const { node } of progress.remaining) pass.note(node.name, limit);
  noteBudgets(pass, progress);
};

/** What is left once the wave is through, and the nodes that stay are out. */
const progressAfter = (progress: Progress, { wave, staying }: WaveOrStaying): Progress => {
  const done = new Set<Candidate>([...staying, ...(wave?.candidates ?? [])]);
  const remaining = progress.remaining.filter((candidate) => !done.has(candidate));
  if (wave === undefined) return { ...progress, remaining };
  const machines = new Map([...progress.machines].filter(([name]) => !wave.machines.has(name)));
  return { snapshot: afterWave(progress.snapshot, wave), machines, remaining };
};

/**
 * Cuts the set into waves; `round` distinguishes its machines from others. A node for which no wave has room stays,
 * with its blocker noted. At a wave whose machines have no room within a limit, all that are left stay.
 */
export function* cuttingWaves(pass: Pass, leavers: Leavers, round: number): Steps<CutWaves> {
  const machines = new Map(leavers.machines.map((planned, index) => [`new-${round}-${index + 1}`, planned]));
  let progress: Progress = { snapshot: pass.context.snapshot, machines, remaining: inOrder(leavers) };
  const steps: Step[] = [];
  let limit: Blocker | undefined;
  while (progress.remaining.length > 0) {
    const { wave, staying } = yield* planningWave(pass, progress);
    limit = wave && limitBlocker(progress.snapshot, wave);
    if (limit !== undefined || (wave === undefined && staying.length === 0)) break;
    progress = progressAfter(progress, { wave, staying });
    if (wave !== undefined) steps.push({ wave, after: progress.snapshot });
  }
  noteRemaining(pass, progress, limit);
  const kept = worthwhile(steps);
  return { waves: kept.map(({ wave }) => wave), after: kept.at(-1)?.after ?? pass.context.snapshot, isLimited: limit !== undefined };
}
