import type { Sight } from '../screen/sight.ts';

/** One act of the demo: scale the workload and wait until the cluster has followed. */
export interface Step {
  readonly replicas: number;
  /** What is about to happen, for the person who watches. */
  readonly title: string;
  /** What to know about it while it takes its time. */
  readonly hint?: string;
  /** What must come true within the limit. */
  readonly expected: string;
  readonly limitMs: number;
  hasComeTrue(sight: Sight): boolean;
}

/** When things happened in a step, in milliseconds after the scaling. Absent: did not happen, or was not needed. */
export interface StepResult {
  readonly step: Step;
  readonly firstLaunchMs?: number;
  readonly allBoundMs?: number;
  readonly doneMs?: number;
  /** Dollars an hour before and at the end. */
  readonly pricePerHour: { readonly before: number; readonly after: number };
  /** Why the step failed; absent when it came true. */
  readonly failure?: string;
}

const MINUTE = 60_000;

const scaleTo = (replicas: number): Step => ({
  replicas,
  title: `scale inflate to ${replicas}`,
  expected: `${replicas} pods run and every node is ready`,
  limitMs: 3 * MINUTE,
  hasComeTrue: ({ pods, nodes }) => pods.pending === 0 && pods.running === replicas && nodes.every(({ phase }) => phase === 'ready'),
});

const scaleToNothing: Step = {
  replicas: 0,
  title: 'scale inflate to 0',
  hint: 'empty nodes go one by one (the budget of the NodePool is 10 %), each checked again after 15 s',
  expected: 'no pod runs and every node is gone',
  limitMs: 5 * MINUTE,
  hasComeTrue: ({ pods, nodes }) => pods.pending === 0 && pods.running === 0 && nodes.length === 0,
};

/** 0 → 5 → 60 → 0. */
export const steps: readonly Step[] = [scaleTo(5), scaleTo(60), scaleToNothing];

/** The same step with less time, or more. */
export const withinDeadline = (step: Step, limitMs: number): Step => ({ ...step, limitMs });
