/**
 * Work that pauses now and then, and what it comes to. A pause means nothing to the work: whoever runs it may go on at once, or let others
 * have a turn first. Who gives it up calls `return`, so that it can clean up. Functions that give steps are named by an -ing.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** What the work comes to, without a pause. */
export const finish = <T>(steps: Steps<T>): T => {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
};
