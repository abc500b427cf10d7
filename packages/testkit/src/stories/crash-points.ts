import type { CrashPoint } from './story-cluster.ts';

/** Before and after each write of a course, in order. */
export const crashPointsOf = (writes: readonly string[]): readonly CrashPoint[] => {
  const seen = new Map<string, number>();
  return writes.flatMap((write) => {
    const nth = (seen.get(write) ?? 0) + 1;
    seen.set(write, nth);
    return [
      { write, nth, side: 'before' },
      { write, nth, side: 'after' },
    ] as const;
  });
};

/** One in so many, evenly spread from `from` on. */
export const everyNth = <T>(items: readonly T[], n: number, from: number): readonly T[] => items.filter((_, i) => i % n === from % n);

/** A point as people read it: `before the 2nd "patch Node"`. */
export const nameOfPoint = ({ write, nth, side }: CrashPoint): string => `${side} "${write}" no. ${nth}`;
