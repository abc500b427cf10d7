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

/** Where the compiler has shown that no case is left. Reaching it is a bug, so it throws. */
export const unreachable = (value: never): never => {
  throw new Error(`This case cannot occur: ${JSON.stringify(value)}`);
};

/** The items in order, in chunks of `size`; the last may be smaller. For loops that pause after each chunk. */
export const chunksOf = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
