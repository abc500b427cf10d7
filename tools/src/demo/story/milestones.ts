import type { Sight } from '../screen/sight.ts';
import type { Step, StepResult } from './step.ts';
import { pricePerHourOf } from '../screen/table.ts';

/** Notes when the things that a step is measured by first came true. */
export interface Milestones {
  /** Takes in how things stand; true when the step is done. */
  see(sight: Sight, atMs: number): boolean;
  result(failure?: string): StepResult;
}

const isAllBound = ({ replicas }: Step, { pods }: Sight): boolean =>
  replicas > 0 && pods.pending === 0 && pods.starting + pods.running === replicas;

/** `before` is how things stood when the step began, at `startedAtMs`. */
export const milestonesOf = (step: Step, before: Sight, startedAtMs: number): Milestones => {
  const known = new Set(before.nodes.filter(({ phase }) => phase !== 'launching').map(({ name }) => name));
  let latest = before;
  const reached: { firstLaunchMs?: number; allBoundMs?: number; doneMs?: number } = {};
  return {
    see(sight, atMs) {
      latest = sight;
      const sinceMs = atMs - startedAtMs;
      if (sight.nodes.some(({ name, phase }) => phase === 'starting' && !known.has(name))) reached.firstLaunchMs ??= sinceMs;
      if (isAllBound(step, sight)) reached.allBoundMs ??= sinceMs;
      if (step.hasComeTrue(sight)) reached.doneMs ??= sinceMs;
      return reached.doneMs !== undefined;
    },
    result: (failure) => ({
      step,
      ...reached,
      pricePerHour: { before: pricePerHourOf(before), after: pricePerHourOf(latest) },
      ...(failure === undefined ? {} : { failure }),
    }),
  };
};
