import { patchRebalancePlan } from '../../actions/index.ts';
import type { RebalancePlan } from '../../apis/index.ts';
import { epochMsOf, structuralHash } from '../../base/index.ts';
import { nodePrice } from '../../disruption/index.ts';
import type { Command, DisruptionContext, Proposal } from '../../disruption/index.ts';
import { commandRecordOf, keyOfClaim } from '../../state/index.ts';
import { snapshotNow } from '../shell.ts';
import type { CommandRun, DisruptionDeps } from './command-runs.ts';
import { afterWave, standingStatus, withoutNetSavings, withoutWave, withWave } from './rebalance-status.ts';
import type { RebalanceOutlook, RebalanceStatus, RebalanceWaveRecord, WaveResult } from './rebalance-status.ts';
import { byAge } from '../../kube/index.ts';

/** What the next pass is to do about rebalancing. */
export interface RebalanceTask {
  /** The plan whose next wave is searched for; absent while a wave is under way. */
  readonly plan?: RebalancePlan;
  readonly rebalance: NonNullable<DisruptionContext['rebalance']>;
}

/**
 * Plans that triggered a bug when a pass was noted on them → until when they are left out (epoch ms). One that changes
 * is another object, and comes in again at once.
 */
export type OddPlans = WeakMap<RebalancePlan, number>;

const LEFT_OUT_MS = 10 * 60_000;

/** The plans that are not at their end, the oldest first. */
const openPlans = ({ shell }: DisruptionDeps, oddPlans: OddPlans): readonly RebalancePlan[] =>
  (shell.caches.rebalancePlans?.list() ?? [])
    .filter(({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.completionTime === undefined)
    .filter((plan) => (oddPlans.get(plan) ?? 0) <= shell.clock.now())
    .sort(byAge);

/** A plan, and the status that it gets. */
interface StatusChange {
  readonly plan: RebalancePlan;
  readonly status: RebalanceStatus;
}

const writeStatus = async ({ shell }: DisruptionDeps, { plan, status }: StatusChange, signal: AbortSignal): Promise<void> => {
  const before = shell.caches.rebalancePlans?.get({ name: plan.metadata.name })?.status ?? {};
  if (structuralHash(before) === structuralHash(status)) return;
  // A merge patch keeps what it does not name.
  await patchRebalancePlan(shell, { plan, body: { status: { wave: null, retryTime: null, ...status } } }, signal);
  shell.reporter.report({ kind: 'rebalance-changed', plan: { ...plan, status }, before });
};

/** Whether a command is about to delete nodes of the wave, or some of them drain. */
const isUnderWay = ({ shell, runs }: DisruptionDeps, { nodes }: RebalanceWaveRecord): boolean => {
  const running = runs.machines();
  return nodes.some(
    ({ nodeClaim }) =>
      running.has(keyOfClaim(nodeClaim)) || shell.caches.nodeClaims.get({ name: nodeClaim })?.metadata.deletionTimestamp !== undefined,
  );
};

/** What became of a wave that is over, by what the cluster has now: so no restart loses it. */
const resultOf = ({ shell, options }: DisruptionDeps, { nodes }: RebalanceWaveRecord): WaveResult => {
  const gone = nodes.filter(({ nodeClaim }) => shell.caches.nodeClaims.get({ name: nodeClaim }) === undefined);
  if (gone.length === 0) return { gone, machinesPerHour: 0 };
  const names = new Set(gone.map(({ nodeClaim }) => nodeClaim));
  const snapshot = snapshotNow(shell);
  const types = new Map(snapshot.nodePools.map(({ nodePool, instanceTypes }) => [nodePool.metadata.name, instanceTypes]));
  const prices = snapshot.nodes
    .filter(({ claim }) => claim !== undefined && commandRecordOf(claim)?.candidates.some((name) => names.has(name)) === true)
    .map((node) => (nodePrice(node, types.get(node.nodePoolName ?? '') ?? []) ?? 0) + (options.policy.nodePricePerHour ?? 0));
  return { gone, machinesPerHour: prices.reduce((sum, price) => sum + price, 0) };
};

const mayStart = ({ spec }: RebalancePlan): boolean => spec.paused !== true && spec.cancelled !== true;

/** The present plan, unless it is gone or at its end. */
const openNow = ({ shell }: DisruptionDeps, { metadata: { name } }: RebalancePlan): RebalancePlan | undefined => {
  const current = shell.caches.rebalancePlans?.get({ name });
  return current?.status?.completionTime === undefined ? current : undefined;
};

/** What the active plan asks of the next pass. */
const taskOf = (plan: RebalancePlan, nowMs: number): RebalanceTask => {
  const { retryTime, pods = 0 } = plan.status ?? {};
  if ((epochMsOf(retryTime) ?? 0) > nowMs) return { rebalance: 'under-way' };
  return { plan, rebalance: { mostMoves: (plan.spec.maxMoves ?? Number.POSITIVE_INFINITY) - pods } };
};

/** Brings the status of a plan up to date. Returns whether its wave is under way. */
const followPlan = async (
  deps: DisruptionDeps,
  { plan, active }: { readonly plan: RebalancePlan; readonly active: RebalancePlan | undefined },
  signal: AbortSignal,
): Promise<boolean> => {
  const nowMs = deps.shell.clock.now();
  const { wave } = plan.status ?? {};
  const underWay = wave !== undefined && isUnderWay(deps, wave);
  const current = wave === undefined || underWay ? plan : afterWave(plan, resultOf(deps, wave), nowMs);
  const status = standingStatus(current, { active, isUnderWay: underWay, nowMs });
  await writeStatus(deps, { plan, status }, signal);
  return underWay;
};

/**
 * Brings the status of all RebalancePlans up to date. Undefined when none is open: consolidation goes its own way. A plan
 * that triggers a bug is left out, and the next one is active.
 */
export const followRebalances = async (
  deps: DisruptionDeps,
  oddPlans: OddPlans,
  signal: AbortSignal,
): Promise<RebalanceTask | undefined> => {
  let active: RebalancePlan | undefined;
  let isAnyUnderWay = false;
  for (const plan of openPlans(deps, oddPlans)) {
    const first = active ?? (mayStart(plan) ? plan : undefined);
    const work = { kind: 'RebalancePlan', object: plan, signal } as const;
    const underWay = await deps.shell.state.guard.work(work, () => followPlan(deps, { plan, active: first }, signal));
    if (underWay === undefined) continue;
    active = first;
    isAnyUnderWay ||= underWay;
  }
  if (isAnyUnderWay) return { rebalance: 'under-way' };
  const plan = active && openNow(deps, active);
  return plan && taskOf(plan, deps.shell.clock.now());
};

type Found = Pick<Proposal, 'command'> & { readonly outlook: RebalanceOutlook };

/** The status that says what a pass found, and the command that is to be begun. */
const foundStatus = (plan: RebalancePlan, { command, outlook }: Found, nowMs: number): StatusChange & Pick<Proposal, 'command'> => {
  if (command === undefined) return { plan, status: withoutWave(plan, outlook, nowMs) };
  const ending = withoutNetSavings(plan, outlook, nowMs);
  return ending === undefined ? { plan, status: withWave(plan, { command, outlook }, nowMs), command } : { plan, status: ending };
};

/** What a pass found for a plan; undefined: it searched for none. */
interface NotedPass {
  readonly plan: RebalancePlan | undefined;
  readonly proposal: Proposal;
  readonly oddPlans: OddPlans;
}

/**
 * Writes to the plan what a pass found, a wave before any of its nodes is touched. Returns the command that is to be
 * begun. A plan that triggers a bug is left out from now on, so that the next one or consolidation goes on.
 */
export const noteRebalance = async (
  deps: DisruptionDeps,
  { plan: asked, proposal, oddPlans }: NotedPass,
  signal: AbortSignal,
): Promise<Command | undefined> => {
  const { command, rebalance: outlook } = proposal;
  if (outlook === undefined || asked === undefined) return command;
  const plan = openNow(deps, asked);
  if (plan === undefined || !mayStart(plan)) return undefined;
  const { state, clock } = deps.shell;
  const noted = await state.guard.work({ kind: 'RebalancePlan', object: plan, signal }, async () => {
    const found = foundStatus(plan, { ...(command && { command }), outlook }, clock.now());
    await writeStatus(deps, found, signal);
    return found;
  });
  if (noted === undefined) oddPlans.set(plan, clock.now() + LEFT_OUT_MS);
  return noted?.command;
};

const isOfWave = ({ status }: RebalancePlan, { summary }: CommandRun): boolean => {
  const names = new Set(summary.candidates.map(({ claim }) => claim?.metadata.name));
  return status?.wave?.nodes.some(({ nodeClaim }) => names.has(nodeClaim)) === true;
};

/** Whether a run may go on: a wave may while its plan is there and not cancelled, and start while it is not paused. */
export const isWanted = ({ shell }: DisruptionDeps, run: CommandRun): boolean => {
  if (run.summary.method !== 'rebalance' || run.stage.kind === 'called-off') return true;
  const [plan] = shell.state.guard.filter('RebalancePlan', shell.caches.rebalancePlans?.list() ?? [], (each) => isOfWave(each, run));
  if (plan === undefined || plan.metadata.deletionTimestamp !== undefined) return false;
  return run.stage.kind === 'validating' ? mayStart(plan) : plan.spec.cancelled !== true;
};
