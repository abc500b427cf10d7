/** How the calls that ended lately went. */
export interface RecentCalls {
  add(hasFailed: boolean): void;
  failures(): number;
  /** Of all that ended lately; 0 when none did. */
  shareOfFailures(): number;
}

/** Time is counted in so many parts of the whole, each forgotten at once. */
const PARTS = 10;

interface Part {
  readonly endsMs: number;
  calls: number;
  failures: number;
}

/** Calls of the last `withinMs`, give or take a tenth; the memory is the same for one call and for a million. */
export const recentCalls = (clock: { now(): number }, withinMs: number): RecentCalls => {
  let parts: readonly Part[] = [];

  const kept = (): readonly Part[] => {
    const sinceMs = clock.now() - withinMs;
    parts = parts.filter(({ endsMs }) => endsMs > sinceMs);
    return parts;
  };
  const current = (): Part => {
    const last = kept().at(-1);
    if (last !== undefined && last.endsMs > clock.now()) return last;
    const part = { endsMs: clock.now() + withinMs / PARTS, calls: 0, failures: 0 };
    parts = [...parts, part];
    return part;
  };
  const failures = (): number => kept().reduce((sum, part) => sum + part.failures, 0);
  return {
    add: (hasFailed) => {
      const part = current();
      part.calls += 1;
      if (hasFailed) part.failures += 1;
    },
    failures,
    shareOfFailures: () =>
      failures() /
      Math.max(
        1,
        kept().reduce((sum, { calls }) => sum + calls, 0),
      ),
  };
};
