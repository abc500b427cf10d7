import type { FieldProblem } from '../../base/index.ts';

/** The first thing that is wrong, in the order in which the checks stand; the checks after it are not asked. */
export const firstProblem = (checks: Iterable<() => FieldProblem | undefined>): FieldProblem | undefined => {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/** A value that is none of those that exist, or is missing. */
export const requiredChoiceProblem = (field: string, value: string | undefined, choices: readonly string[]): FieldProblem | undefined =>
  value !== undefined && choices.includes(value)
    ? undefined
    : { field, value: value ?? 'undefined', problem: `must be one of ${choices.join(', ')}` };

/** A value that is none of those that exist. An absent value is no problem: it has a default. */
export const choiceProblem = (field: string, value: string | undefined, choices: readonly string[]): FieldProblem | undefined =>
  value === undefined ? undefined : requiredChoiceProblem(field, value, choices);
