import { test } from '@jest/globals';
import { mandatoryRules, optionalRules } from './contract-rules.ts';
import type { MandatoryRule, OptionalRule, SkippedRules } from './contract-rules.ts';

/** Turns rules into tests whose names carry the number. */
export interface RuleBook {
  readonly mandatory: (rule: MandatoryRule, check: () => Promise<void>) => void;
  /** Not run when the provider gives a reason; the test's name then ends on it. */
  readonly optional: (rule: OptionalRule, check: () => Promise<void>) => void;
  /** Errors: when a rule has no test, or more than one. */
  readonly close: () => void;
}

export const ruleBook = (skips: SkippedRules): RuleBook => {
  const seen: string[] = [];
  return {
    mandatory: (rule, check) => {
      seen.push(rule);
      test(`${rule} ${mandatoryRules[rule]}`, check);
    },
    optional: (rule, check) => {
      seen.push(rule);
      const reason = skips[rule];
      const title = `${rule} ${optionalRules[rule]}`;
      if (reason === undefined) test(title, check);
      else test.skip(`${title}: not kept, ${reason}`, check);
    },
    close: () => {
      const untested = [...Object.keys(mandatoryRules), ...Object.keys(optionalRules)].filter((rule) => !seen.includes(rule));
      const twice = seen.filter((rule, index) => seen.indexOf(rule) !== index);
      if (untested.length + twice.length > 0) throw new Error(`rules without a test: ${untested.join()}; with two: ${twice.join()}`);
    },
  };
};
