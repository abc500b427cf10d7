import { durationMs, durationOrNeverMs } from '../../base/index.ts';
import type { FieldProblem } from '../../base/index.ts';

/** A duration that may be left out, and may be `Never` where `never` says so. */
export const durationProblems = (field: string, value: string | undefined, never: 'or Never' | 'never'): readonly FieldProblem[] => {
  if (value === undefined) return [];
  const ms = never === 'or Never' ? durationOrNeverMs(value) : durationMs(value);
  if (ms !== undefined && ms >= 0) return [];
  const accepted = never === 'or Never' ? 'a duration such as 30m or 720h, or Never' : 'a duration such as 30m or 720h';
  return [{ field, value, problem: `must be ${accepted}` }];
};
