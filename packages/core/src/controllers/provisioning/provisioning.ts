import { isFailure, requeueAfter } from '@karpenter/runtime';
import type { ReconcileContext, SingletonController } from '@karpenter/runtime';
import type { Steps } from '../../base/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import { splitPlan, virtualPodsOf } from '../../scheduling/index.ts';
import type { Plan, PlannedNode, SchedulingPolicy } from '../../scheduling/index.ts';
import { machineKeyOf } from '../../state/index.ts';
import type { ClusterState } from '../../state/index.ts';
import { decideInSlices, snapshotNow } from '../shell.ts';
import type { Decisions, Shell } from '../shell.ts';
import { noteBuffers, type PlannedBuffers } from '../capacity-buffer/planned-buffers.ts';
import { Batcher, planningTriggers } from './batcher.ts';
import type { Arrivals } from './batcher.ts';
import { ClaimRefusals, createOrRefuse } from './claim-refusals.ts';
import { GroupRelease } from './group-release.ts';
import { hasMinimums, launchMinimums } from './minimum-nodes.ts';
import { Rehearsal } from './rehearsal.ts';
import { explainingApart, reportingPods } from './pod-reports.ts';

export interface ProvisioningOptions {
  readonly policy: SchedulingPolicy;
  readonly batchIdleMs: number;
  readonly batchMaxMs: number;
  /** Solving ends after so long; pods that were not reached come next time. */
  readonly solveMs: number;
}

const UNSYNCED_MS = 1000;

/**
 * Added to the price of each node while pods keep coming, in dollars an hour. The last pods of a window then share
 * one machine with room for the next. Small machines that fit exactly would be consolidated away minutes later.
 */
const NODE_PRICES_PER_HOUR: Readonly<Record<Arrivals, number>> = { quiet: 0, recurring: 0.25, steady: 1 };

/** The policy of a plan for pods that came so. */
const policyFor = (policy: SchedulingPolicy, arrivals: Arrivals): SchedulingPolicy => ({
  ...policy,
  nodePricePerHour: (policy.nodePricePerHour ?? 0) + NODE_PRICES_PER_HOUR[arrivals],
});

/** A plan, for how many pods, and how long it took. */
interface Decided {
  readonly plan: Plan;
  readonly pods: number;
  readonly durationMs: number;
  /** When it was complete; epoch ms. */
  readonly atMs: number;
}

const needsPlan = ({ pendingPods, buffers, nodes }: ClusterSnapshot): boolean =>
  pendingPods.length > 0 || buffers !== undefined || nodes.some(({ isMarkedForDeletion }) => isMarkedForDeletion);

const hasPlaces = ({ plannedNodes, placements }: Plan): boolean => plannedNodes.length + placements.size > 0;

/** Pods that the next plan begins with: their turn had not come, or time ran out. */
const leftToNext = ({ postponed = [], rejections }: Plan): readonly Pod[] => [
  ...rejections.filter(({ reason }) => reason.kind === 'stopped').map(({ pod }) => pod),
  ...postponed,
];

/** Whether the pod waits for a node; pods of nodes on their way out wait where they are. */
const isPending = ({ spec }: Pod): boolean => spec.nodeName === undefined;

/** What the plan left is planned soon if this one found places: pods that fit nowhere cost no more than a retry. */
const isNextPlanDue = (plan: Plan, { planGuard }: Pick<Shell, 'planGuard'>): boolean =>
  planGuard.hasMore || (hasPlaces(plan) && leftToNext(plan).some(isPending));

/** Does each of these that follow a plan. A bug in one costs the others nothing. */
const doApart = async (
  { reporter }: Pick<Shell, 'reporter'>,
  works: readonly (() => Promise<void>)[],
  { signal, foundBug }: ReconcileContext,
): Promise<void> => {
  for (const work of works) {
    try {
      await work();
    } catch (error) {
      if (signal.aborted || isFailure(error)) throw error;
      foundBug?.(error);
      reporter.report({ kind: 'report-failed', about: 'outcome of a plan', error });
    }
  }
};

/** Writes the outcome of a plan into events on pods and into the status of buffers. */
const reportingOutcome = (
  shell: Shell,
  { plan, ...planned }: PlannedBuffers & { readonly plan: Plan },
  signal: AbortSignal,
): readonly (() => Promise<void>)[] => [
  () => decideInSlices(shell, reportingPods(shell, { plan, explain: planned.explain }), signal),
  () => noteBuffers(shell, { ...planned, explain: explainingApart(shell, planned.explain) }, signal),
];

/** Reports a plan, and what it was made without, also after an action that failed half-way. */
const reportPlan = ({ reporter }: Pick<Shell, 'reporter'>, decided: Decided): void => {
  const { plan, pods } = decided;
  if (pods > 0 || plan.plannedNodes.length > 0) reporter.report({ kind: 'plan-computed', ...decided });
  for (const leftOut of plan.leftOut ?? []) reporter.report({ kind: 'left-out', leftOut });
};

/** What every plan is made with. */
interface Planning {
  readonly shell: Shell;
  readonly decisions: Decisions;
  readonly options: ProvisioningOptions;
  readonly batcher: Batcher;
  readonly refusals: ClaimRefusals;
}

/** Groups of pods that one pass plans apart. */
const MOST_APART = 16;

/** Pods to nominate for a node that stands or is on its way. */
export interface PlannedNomination {
  readonly node: NodeView;
  readonly pods: readonly Pod[];
}

/** What is still to be done of a plan. */
export interface WantedPlan {
  readonly nominations: readonly PlannedNomination[];
  readonly plannedNodes: readonly PlannedNode[];
}

/** The present cluster. */
export interface Current {
  readonly state: Pick<ClusterState, 'views' | 'wantsPlace'> & { readonly buffers: Pick<ClusterState['buffers'], 'views'> };
  readonly nowMs: number;
}

/**
 * What remains of a plan that took some time to make from `snapshot`. Left out are pods that were bound, nominated or
 * deleted meanwhile, and nodes that are gone or leaving. A node without pods stays only if a buffer still needs its
 * room. Virtual pods are left out.
 */
export function* keepingWanted(plan: Plan, snapshot: ClusterSnapshot, { state, nowMs }: Current): Steps<WantedPlan> {
  const before = new Map(snapshot.nodes.map((node) => [node.name, node]));
  const open = new Set(state.views(nowMs).flatMap((node) => (node.isMarkedForDeletion ? [] : machineKeyOf(node))));
  const virtual = virtualPodsOf(state.buffers.views(nowMs));
  const nominations: PlannedNomination[] = [];
  for (const [name, all] of plan.placements) {
    const node = before.get(name);
    const pods = all.filter((pod) => state.wantsPlace(pod));
    if (node !== undefined && open.has(machineKeyOf(node)) && pods.length > 0) nominations.push({ node, pods });
    yield;
  }
  const plannedNodes: PlannedNode[] = [];
  for (const planned of plan.plannedNodes) {
    const pods = planned.pods.filter((pod) => state.wantsPlace(pod));
    if (pods.length > 0 || planned.pods.some((pod) => virtual.has(pod))) plannedNodes.push({ ...planned, pods });
    yield;
  }
  return { nominations, plannedNodes };
}

/** Nominates pods and creates NodeClaims, as far as the plan is still wanted. */
const act = async (
  { shell, refusals }: Planning,
  { plan, snapshot }: { readonly plan: Plan; readonly snapshot: ClusterSnapshot },
  signal: AbortSignal,
): Promise<void> => {
  const { state, clock } = shell;
  const nowMs = clock.now();
  const { nominations, plannedNodes } = await decideInSlices(shell, keepingWanted(plan, snapshot, { state, nowMs }), signal);
  for (const { node, pods } of nominations) state.nominate(node, pods);
  const creation = { planned: plannedNodes, reason: 'provisioned', attempt: String(nowMs) } as const;
  await createOrRefuse(shell, { creation, blame: (refused) => refusals.add(refused) }, signal);
  for (const { node } of nominations) if (node.hasNode) await shell.podNominations?.announce(node.name, signal);
};

/** Plans for what waits in the snapshot, until time or memory runs out. */
const planSnapshot = async (
  { shell, decisions, options, batcher }: Planning,
  { snapshot, postponed }: { readonly snapshot: ClusterSnapshot; readonly postponed: readonly Pod[] },
  signal: AbortSignal,
): Promise<Decided> => {
  const { clock, memory } = shell;
  const startMs = clock.now();
  const { portion, isOut } = memory.share();
  const policy = { ...policyFor(options.policy, batcher.arrivals), nowMs: startMs, postponed, portion };
  const steps = decisions.planning(snapshot, policy, () => clock.now() >= startMs + options.solveMs || isOut());
  const plan = await decideInSlices(shell, steps, signal);
  const atMs = clock.now();
  return { plan, pods: snapshot.pendingPods.length, durationMs: atMs - startMs, atMs };
};

/** Answers true once what begins now has no time or no memory left. */
const endOf = ({ shell: { clock, memory }, options }: Planning): (() => boolean) => {
  const untilMs = clock.now() + options.solveMs;
  const { isOut } = memory.share();
  return () => clock.now() >= untilMs || isOut();
};

/** Rehearses, unless memory is short: it saves time and takes memory. */
const rehearse = async (planning: Planning, rehearsal: Rehearsal, context: ReconcileContext): Promise<void> => {
  const { memory, planGuard } = planning.shell;
  if (memory.share().portion < 1) return;
  const snapshot = snapshotNow(planning.shell);
  await planGuard.attempt('rehearsal', () => rehearsal.run(snapshot, { ...context, shouldStop: endOf(planning) }));
};

const keepMinimums = async (planning: Planning, context: ReconcileContext): Promise<void> => {
  const { shell, options } = planning;
  if (!hasMinimums(shell)) return;
  const keeping = { policy: options.policy, shouldStop: endOf(planning), refusals: planning.refusals };
  await shell.planGuard.attempt('minimums of pools', () => launchMinimums(shell, keeping, context));
};

/** Plans pods whose claims were refused together with those of others, group by group. */
const planApart = async (
  planning: Planning,
  decide: (snapshot: ClusterSnapshot, context: ReconcileContext) => Promise<Decided | undefined>,
  context: ReconcileContext,
): Promise<void> => {
  const { shell, decisions, refusals, batcher } = planning;
  for (let turn = 0; turn < MOST_APART && refusals.hasMore; turn++) {
    const snapshot = refusals.nextApart(snapshotNow(shell));
    if (snapshot === undefined) return;
    const decided = await decide(snapshot, context);
    if (decided === undefined) continue;
    const { plan } = decided;
    await act(planning, { plan, snapshot }, context.signal).finally(() => reportPlan(shell, decided));
    const report = (): Promise<void> => decideInSlices(shell, reportingPods(shell, { plan, explain: decisions.explain }), context.signal);
    await doApart(shell, [() => shell.planGuard.reporting(report)], context);
  }
  if (refusals.hasMore) batcher.trigger('refused claims');
};

/** Makes machines for pods that find no place, and for the minimum of pools: read, decide, act, report. */
export const provisioning = (shell: Shell, decisions: Decisions, options: ProvisioningOptions): SingletonController => {
  const { state, clock } = shell;
  const batcher = new Batcher({ clock, idleMs: options.batchIdleMs, maxMs: options.batchMaxMs });
  const triggers = planningTriggers(shell, batcher);
  const groups = new GroupRelease(shell);
  const rehearsal = new Rehearsal(shell, decisions, options.policy);
  const refusals = new ClaimRefusals(shell);
  const planning: Planning = { shell, decisions, options, batcher, refusals };
  let postponed: NonNullable<Plan['postponed']> = [];
  const goOn = (plan: Plan): void => {
    postponed = leftToNext(plan);
    if (isNextPlanDue(plan, shell)) batcher.trigger('postponed');
  };

  /** Undefined after a trial: nothing of it is carried out. */
  const decide = async (given: ClusterSnapshot, context: ReconcileContext): Promise<Decided | undefined> => {
    const deciding = (snapshot: ClusterSnapshot): Promise<Decided> => planSnapshot(planning, { snapshot, postponed }, context.signal);
    const { snapshot, isTrial } = shell.planGuard.begin(given);
    const decided = await shell.isolation.decide(snapshot, deciding, context).finally(() => shell.planGuard.end());
    if (isTrial) batcher.trigger('trial');
    return isTrial ? undefined : decided;
  };

  const planOnce = async (context: ReconcileContext): Promise<void> => {
    const { signal } = context;
    const snapshot = refusals.withoutSuspects(snapshotNow(shell));
    if (!needsPlan(snapshot)) return rehearse(planning, rehearsal, context);
    const decided = await decide(snapshot, context);
    if (decided === undefined) return;
    triggers.note(decided.plan);
    goOn(decided.plan);
    const split = splitPlan(decided.plan, snapshot.buffers ?? []);
    await act(planning, { plan: decided.plan, snapshot }, signal).finally(() => reportPlan(shell, { ...decided, plan: split.plan }));
    const releaseGroups = async (): Promise<void> => {
      if (await groups.after(split.plan, snapshot, signal)) batcher.trigger('pod groups');
    };
    const reports = reportingOutcome(shell, { ...split, snapshot, explain: decisions.explain }, signal);
    await doApart(shell, [releaseGroups, () => shell.planGuard.reporting(() => doApart(shell, reports, context))], context);
  };

  return {
    name: 'provisioner',
    untilWork: ({ signal }) => batcher.wait(signal),
    async reconcile(context) {
      triggers.retry(context.signal);
      if (!state.hasSynced()) return requeueAfter(UNSYNCED_MS);
      await state.refreshCatalogs(context.signal);
      await planOnce(context);
      await planApart(planning, decide, context);
      await keepMinimums(planning, context);
      return requeueAfter(0);
    },
  };
};
