import { inSlices } from '@karpenter/runtime';
import type { Creating, Deleting, PodNominations } from '../actions/index.ts';
import type { CloudProvider } from '../cloudprovider/index.ts';
import { forgetCompiledCatalogs, forgetLongTexts } from '../catalog/index.ts';
import type { Clock, DecisionReporter, EventRecording } from '../ports/index.ts';
import type { ClusterState } from '../state/index.ts';
import type { Isolation } from './isolation/isolation.ts';
import type { PlanGuard } from './isolation/plan-guard.ts';
import type { Steps } from '../base/index.ts';
import type { ClusterSnapshot } from '../cluster/index.ts';
import { proposing, validating } from '../disruption/index.ts';
import type { Command, DisruptionContext, Proposal, Validity } from '../disruption/index.ts';
import { explain, planning } from '../scheduling/index.ts';
import type { Plan, Rejection, SchedulingPolicy } from '../scheduling/index.ts';

/** Beyond this share of the memory, plans are made in smaller portions; up to the lower one they are whole again. */
const SHORT = 0.8;
const ENOUGH = 0.7;
/** Beyond this a plan ends early with what it has. */
const OUT = 0.92;
/** Beyond this every plan ends early. */
const MOST = 0.98;
/** What one plan may take in any case. */
const GROWTH = 0.05;
/** What a plan takes on while memory is short. */
const PORTION = 0.2;

/** What one plan may take of the memory. */
export interface MemoryShare {
  /** Which share of its work it may do. */
  readonly portion: number;
  /** Whether it has taken so much that it should end with what it has. What was taken before it is not its fault. */
  readonly isOut: () => boolean;
}

/** Keeps plans within the memory of the process. */
export class MemoryWatch {
  readonly #memoryUse: () => number;
  readonly #reporter: DecisionReporter;
  #isShort = false;

  /** `memoryUse`: how much of its memory the process uses, from 0 to 1. */
  constructor({ memoryUse, reporter }: { readonly memoryUse: () => number; readonly reporter: DecisionReporter }) {
    this.#memoryUse = memoryUse;
    this.#reporter = reporter;
  }

  /** The share of a plan that begins now. Reports once when memory gets short. */
  share(): MemoryShare {
    const usedRatio = this.#memoryUse();
    if (!this.#isShort && usedRatio > SHORT) {
      this.#isShort = true;
      forgetLongTexts();
      forgetCompiledCatalogs();
      this.#reporter.report({ kind: 'memory-short', usedRatio });
    } else if (usedRatio <= ENOUGH) this.#isShort = false;
    return { portion: this.#isShort ? PORTION : 1, isOut: () => this.#memoryUse() > Math.min(MOST, Math.max(OUT, usedRatio + GROWTH)) };
  }
}

/** What the controllers share. */
export interface Shell extends Creating, Deleting {
  readonly provider: CloudProvider;
  readonly clock: Clock;
  readonly state: ClusterState;
  readonly events: EventRecording;
  /** What triggers bugs, shared by the controllers that see the whole cluster. */
  readonly isolation: Isolation;
  /** Breaks crash loops of plans. */
  readonly planGuard: PlanGuard;
  readonly memory: MemoryWatch;
  /** Absent: pods are not nominated for kube-scheduler. */
  readonly podNominations?: PodNominations;
}

/** The cluster now. Leaves a mark while it is read. */
export const snapshotNow = ({ state, clock, planGuard }: Pick<Shell, 'state' | 'clock' | 'planGuard'>): ClusterSnapshot =>
  planGuard.snapshot(() => state.snapshot(clock.now()));

/** The decisions of the pure half, in steps, as the shell calls them. A test may replace them. */
export interface Decisions {
  readonly planning: (snapshot: ClusterSnapshot, policy: SchedulingPolicy, shouldStop: () => boolean) => Steps<Plan>;
  readonly explain: (rejection: Rejection) => string;
  readonly proposing: (context: DisruptionContext) => Steps<Proposal>;
  readonly validating: (command: Command, context: DisruptionContext) => Steps<Validity>;
}

/** The decisions of layers 6 and 7. */
export const pureDecisions: Decisions = { planning, explain, proposing, validating };

/** How long a decision keeps the event loop to itself: leases, watches and probes wait no longer than this and one step. */
const SLICE_MS = 10;

/** Runs a decision in slices and returns its result. Other work runs in between, so the cluster may have changed by then. */
export const decideInSlices = <T>({ clock }: { readonly clock: Clock }, decision: Steps<T>, signal: AbortSignal): Promise<T> =>
  inSlices(decision, { clock, sliceMs: SLICE_MS, signal });
