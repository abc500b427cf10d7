import { rebalancePlanConditions } from '../../apis/index.ts';
import type { RebalancePlan } from '../../apis/index.ts';
import { compareText, decimalIn, epochMsOf, timestampOf } from '../../base/index.ts';
import { countMoves } from '../../disruption/index.ts';
import type { Command, Proposal } from '../../disruption/index.ts';
import { conditionOf, withCondition } from '../../kube/index.ts';
import type { Condition } from '../../kube/index.ts';

export type RebalanceStatus = NonNullable<RebalancePlan['status']>;
export type RebalanceWaveRecord = NonNullable<RebalanceStatus['wave']>;
export type RebalanceOutlook = NonNullable<Proposal['rebalance']>;

/** How long a plan waits after a wave that was called off. */
const RETRY_MS = 60_000;
/** A plan that can start no wave for so long is completed: what holds the nodes up may never end. */
const MOST_WAIT_MS = 10 * 60_000;

const { progressing, complete } = rebalancePlanConditions;

const priceText = (pricePerHour: number): string => pricePerHour.toFixed(4);

/** What the status says beside its figures. */
interface Said extends Pick<RebalanceStatus, 'phase'> {
  readonly progressing: Condition['status'];
  readonly complete?: Condition['status'];
  readonly reason: string;
  readonly message: string;
}

const saying = (plan: RebalancePlan, said: Said, nowMs: number): RebalanceStatus => {
  const { phase, reason, message } = said;
  const { generation } = plan.metadata;
  const about = { reason, message, ...(generation === undefined ? {} : { observedGeneration: generation }) };
  const moved = withCondition(plan.status?.conditions, { type: progressing, status: said.progressing, ...about }, nowMs);
  const conditions = withCondition(moved, { type: complete, status: said.complete ?? 'False', ...about }, nowMs);
  return { ...plan.status, ...(phase && { phase }), message, conditions };
};

/** How a plan came to its end. */
interface End extends Pick<Said, 'reason' | 'message'> {
  readonly phase: 'Completed' | 'Cancelled';
}

const ended = (plan: RebalancePlan, end: End, nowMs: number): RebalanceStatus => ({
  ...saying(plan, { ...end, progressing: 'False', complete: 'True' }, nowMs),
  ...{ completionTime: timestampOf(nowMs), plannedSavingsPerHour: priceText(0) },
});

/** No price or saving is beyond it. */
const MOST_AN_HOUR = 1e9;

/** The number in a price or saving of the plan; undefined for other texts. */
const priceIn = (text: string | undefined): number | undefined => decimalIn(text ?? '', { min: -MOST_AN_HOUR, max: MOST_AN_HOUR });

const savedBy = ({ status }: RebalancePlan): number => priceIn(status?.savingsPerHour) ?? 0;

/** What became of a wave. */
export interface WaveResult {
  readonly gone: RebalanceWaveRecord['nodes'];
  /** What the machines that came for it cost. */
  readonly machinesPerHour: number;
}

/** The plan once its wave is over. Of a wave that went in part, as large a part of its pods counts as moved. */
export const afterWave = (plan: RebalancePlan, { gone, machinesPerHour }: WaveResult, nowMs: number): RebalancePlan => {
  const { wave, ...rest } = plan.status ?? {};
  if (wave === undefined) return plan;
  if (gone.length === 0) return { ...plan, status: { ...rest, retryTime: timestampOf(nowMs + RETRY_MS) } };
  const { waves = 0, nodes = 0, pods = 0 } = rest;
  const price = gone.reduce((sum, each) => sum + (priceIn(each.price) ?? 0), 0);
  const status = {
    ...rest,
    waves: waves + 1,
    nodes: nodes + gone.length,
    pods: pods + Math.round((wave.pods * gone.length) / wave.nodes.length),
    savingsPerHour: priceText(savedBy(plan) + price - machinesPerHour),
  };
  return { ...plan, status };
};

const waveMessage = ({ nodes, machines, pods }: RebalanceWaveRecord): string =>
  `Wave under way; nodes that go: ${nodes.length}, machines that come: ${machines}, pods that move: ${pods}`;

/** Why the plan starts no further wave, whatever there is to save; undefined while it may. */
const endOf = (plan: RebalancePlan): End | undefined => {
  const { maxMoves = Number.POSITIVE_INFINITY, cancelled = false } = plan.spec;
  const target = priceIn(plan.spec.targetSavingsPerHour) ?? Number.POSITIVE_INFINITY;
  const { pods = 0 } = plan.status ?? {};
  const saved = savedBy(plan);
  if (cancelled) return { phase: 'Cancelled', reason: 'Cancelled', message: 'Cancelled by spec.cancelled' };
  if (saved >= target) return { phase: 'Completed', reason: 'TargetReached', message: `Saves $${priceText(saved)} an hour` };
  if (pods >= maxMoves) return { phase: 'Completed', reason: 'MovesExhausted', message: `Has moved ${pods} of ${maxMoves} pods` };
  return undefined;
};

/** What else the status depends on. */
export interface Standing {
  /** The plan whose waves are started. */
  readonly active: RebalancePlan | undefined;
  readonly isUnderWay: boolean;
  readonly nowMs: number;
}

/** What a plan says that is neither under way nor at its end. */
const waiting = (plan: RebalancePlan, active: RebalancePlan | undefined): Said => {
  if (plan.spec.paused === true) return { phase: 'Paused', progressing: 'False', reason: 'Paused', message: 'Paused by spec.paused' };
  if (active === undefined || active.metadata.name === plan.metadata.name)
    return { phase: 'Running', progressing: 'True', reason: 'Planning', message: 'Searches for the next wave' };
  return { phase: 'Pending', progressing: 'False', reason: 'Queued', message: `Waits for RebalancePlan ${active.metadata.name}` };
};

/** The status of a plan before the next wave is searched for. */
export const standingStatus = (plan: RebalancePlan, { active, isUnderWay, nowMs }: Standing): RebalanceStatus => {
  const { wave, conditions } = plan.status ?? {};
  if (isUnderWay && wave !== undefined) {
    const message = `${waveMessage(wave)}${plan.spec.cancelled === true ? '; then the plan ends' : ''}`;
    return saying(plan, { phase: 'Running', progressing: 'True', reason: 'WaveUnderWay', message }, nowMs);
  }
  const end = endOf(plan);
  if (end !== undefined) return ended(plan, end, nowMs);
  const said = waiting(plan, active);
  // What the last search for a wave found stays until the next.
  const staysHeldUp = said.reason === 'Planning' && conditionOf(conditions, progressing)?.reason === 'HeldUp';
  return staysHeldUp ? { ...plan.status } : saying(plan, said, nowMs);
};

/** A wave, and what the plan comes to. */
interface WaveFound {
  readonly command: Command;
  readonly outlook: RebalanceOutlook;
}

/** The status with a wave that is about to start. */
export const withWave = (plan: RebalancePlan, { command, outlook }: WaveFound, nowMs: number): RebalanceStatus => {
  const nodes = command.candidates.map(({ node, pricePerHour }) => ({
    name: node.name,
    nodeClaim: node.claim?.metadata.name ?? '',
    price: priceText(pricePerHour),
  }));
  const pods = countMoves(command.candidates);
  const wave = { startTime: timestampOf(nowMs), nodes, machines: command.replacements.length, pods };
  const { retryTime: _, ...status } = saying(
    plan,
    { phase: 'Running', progressing: 'True', reason: 'WaveUnderWay', message: waveMessage(wave) },
    nowMs,
  );
  return { ...status, wave, plannedSavingsPerHour: priceText(outlook.savingsPerHour) };
};

/** What holds nodes up, with how many of them: `2 pdb, 1 budget`. */
const heldUpText = ({ heldUp }: RebalanceOutlook): string => {
  const counts = new Map<string, number>();
  for (const { kind } of heldUp.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => compareText(a, b))
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
};

/** The status where no wave can start now: it waits for what may pass, or there is nothing left. */
export const withoutWave = (plan: RebalancePlan, outlook: RebalanceOutlook, nowMs: number): RebalanceStatus => {
  const saved = `saves $${priceText(savedBy(plan))} an hour`;
  if (outlook.heldUp.size === 0)
    return ended(plan, { phase: 'Completed', reason: 'NothingLeft', message: `No further set of nodes saves anything; ${saved}` }, nowMs);
  const held = conditionOf(plan.status?.conditions, progressing);
  const sinceMs = held?.reason === 'HeldUp' ? epochMsOf(held.lastTransitionTime) : undefined;
  const why = heldUpText(outlook);
  if (sinceMs !== undefined && nowMs - sinceMs >= MOST_WAIT_MS)
    return ended(plan, { phase: 'Completed', reason: 'HeldUp', message: `Nodes are held up for too long: ${why}; ${saved}` }, nowMs);
  const message = `Waits for nodes that are held up: ${why}`;
  return {
    ...saying(plan, { phase: 'Running', progressing: 'False', reason: 'HeldUp', message }, nowMs),
    plannedSavingsPerHour: priceText(outlook.savingsPerHour),
  };
};

/**
 * The status of a plan whose remaining waves would save less than the earlier ones cost. The plan ends, or waits
 * while nodes are held up: they may save the rest. Undefined where they do.
 */
export const withoutNetSavings = (plan: RebalancePlan, outlook: RebalanceOutlook, nowMs: number): RebalanceStatus | undefined => {
  if (savedBy(plan) + outlook.savingsPerHour > 0) return undefined;
  if (outlook.heldUp.size > 0) return withoutWave(plan, outlook, nowMs);
  const message = `The waves left would save $${priceText(outlook.savingsPerHour)} an hour, less than those before have cost`;
  return ended(plan, { phase: 'Completed', reason: 'NoNetSavings', message }, nowMs);
};
