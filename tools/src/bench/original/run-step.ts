import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterLedger } from './cluster-ledger.ts';
import type { RunningContestant } from './contestant.ts';
import type { Hands, ScenarioStep } from './scenarios.ts';

const POLL_MS = 500;
const PROGRESS_MS = 30_000;
/** Longer than the original's pauses between two commands: with 90 seconds one run of it had "settled" before the first. */
const QUIET_MS = 180_000;
const STEP_LIMIT_MS = 15 * 60_000;

/** How one step went that waited for something. */
export interface StepFigures {
  readonly kind: 'bound' | 'settled';
  /** Until it came true; if it never did, how long the run waited for it. */
  readonly seconds: number;
  readonly isFinished: boolean;
  /** The most at once since the step began. */
  readonly mostNodes: number;
}

type StepLedger = Pick<
  ClusterLedger,
  'lastChangeMs' | 'launches' | 'mostNodes' | 'nodeCount' | 'podCounts' | 'pricePerHour' | 'resetMostNodes'
>;

/** Asked again and again: since when all pods have been as wanted, and whether that is enough. */
const doneCheck = (
  until: Exclude<ScenarioStep['until'], { kind: 'pause' }>,
  { ledger, quietMs = QUIET_MS }: { readonly ledger: StepLedger; readonly quietMs: number | undefined },
): (() => boolean) => {
  let boundSinceMs: number | undefined;
  return () => {
    const { bound, all } = ledger.podCounts();
    boundSinceMs = bound === until.pods && all === until.pods ? (boundSinceMs ?? Date.now()) : undefined;
    if (boundSinceMs === undefined || until.kind === 'bound') return boundSinceMs !== undefined;
    return Date.now() - Math.max(ledger.lastChangeMs, boundSinceMs) >= quietMs;
  };
};

/** A run under way. */
export interface StepStage {
  /** Begins each line of progress. */
  readonly label: string;
  readonly hands: Hands;
  readonly ledger: StepLedger;
  readonly running: Pick<RunningContestant, 'isRunning'>;
  /** Aborted when the benchmark is to end. */
  readonly signal: AbortSignal;
}

const log = (text: string): void => void process.stderr.write(`${text}\n`);

const stateOf = (ledger: StepLedger): string => {
  const { bound, all } = ledger.podCounts();
  return `${bound} of ${all} pods on ${ledger.nodeCount} nodes, ${ledger.launches} launches, $${ledger.pricePerHour.toFixed(2)}/h`;
};

/** Waits until the step has come true, or for its limit. Undefined: a pause. Errors: thrown if the controller ended. */
export const runScenarioStep = async (
  { act, until, limitMs = STEP_LIMIT_MS, quietMs }: ScenarioStep,
  stage: StepStage,
): Promise<StepFigures | undefined> => {
  const { label, hands, ledger, running, signal } = stage;
  const startedMs = Date.now();
  ledger.resetMostNodes();
  await act(hands);
  if (until.kind === 'pause') {
    await pause(until.ms, undefined, { signal });
    return undefined;
  }
  const { kind } = until;
  const isDone = doneCheck(until, { ledger, quietMs });
  let isFinished = isDone();
  for (let saidMs = startedMs; !isFinished && Date.now() - startedMs <= limitMs; isFinished = isDone()) {
    await pause(POLL_MS, undefined, { signal });
    if (!running.isRunning()) throw new Error(`${label}: the controller ended`);
    if (Date.now() - saidMs < PROGRESS_MS) continue;
    saidMs = Date.now();
    log(`${label}: ${Math.round((saidMs - startedMs) / 1000)} s, not yet ${kind}: ${stateOf(ledger)}`);
  }
  const endMs = isFinished && kind === 'settled' ? Math.max(ledger.lastChangeMs, startedMs) : Date.now();
  const seconds = (endMs - startedMs) / 1000;
  log(`${label}: ${isFinished ? kind : `not ${kind}`} after ${seconds.toFixed(0)} s: ${stateOf(ledger)}`);
  return { kind, seconds, isFinished, mostNodes: ledger.mostNodes };
};
