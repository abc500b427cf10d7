/**
 * Work that pauses now and then, and its result. The caller may resume it at once, or do other things first. To abandon
 * it, call `return`, so that it can clean up. Functions that return steps have names in -ing.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs the work without pauses, and returns its result. */
export const finish = <T>(steps: Steps<T>): T => {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
};
