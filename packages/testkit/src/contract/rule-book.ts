import { test } from '@jest/globals';
import { mandatoryRules, optionalRules } from './contract-rules.ts';
import type { MandatoryRule, OptionalRule, SkippedRules } from './contract-rules.ts';
import type { ProviderJournal } from './provider-journal.ts';

/** Turns rules into tests whose names carry the number. */
export interface RuleBook {
  readonly mandatory: (rule: MandatoryRule, check: () => Promise<void>) => void;
  /** Not run when the provider gives a reason; the test's name then ends on it. */
  readonly optional: (rule: OptionalRule, check: () => Promise<void>) => void;
  /** Errors: when a rule has no test, or more than one. */
  readonly close: () => void;
}

type Calls = Pick<ProviderJournal, 'lines'>;

/** The failure of a check, with the calls that led to it: an expectation alone does not name the claim or the machine. */
export const withCalls = (failure: unknown, { lines }: Calls): unknown => {
  if (!(failure instanceof Error)) return failure;
  const { message: before, stack = before } = failure;
  const calls = lines().map((line) => `  ${line}`);
  failure.message = [before, '', 'Calls of the provider, and its answers:', ...(calls.length > 0 ? calls : ['  nothing'])].join('\n');
  // Jest prints the stack, which begins with the message that the error was made with.
  failure.stack = stack.replace(before, () => failure.message);
  return failure;
};

/** Tests that list the calls of the provider when they fail. */
export const ruleBook = (skips: SkippedRules, calls: Calls): RuleBook => {
  const seen: string[] = [];

  const add = (title: string, check: () => Promise<void>): void =>
    test(title, () =>
      check().catch((failure: unknown) => {
        throw withCalls(failure, calls);
      }),
    );

  return {
    mandatory: (rule, check) => {
      seen.push(rule);
      add(`${rule} ${mandatoryRules[rule]}`, check);
    },
    optional: (rule, check) => {
      seen.push(rule);
      const reason = skips[rule];
      const title = `${rule} ${optionalRules[rule]}`;
      if (reason === undefined) add(title, check);
      else test.skip(`${title}: not kept, ${reason}`, check);
    },
    close: () => {
      const untested = [...Object.keys(mandatoryRules), ...Object.keys(optionalRules)].filter((rule) => !seen.includes(rule));
      const twice = seen.filter((rule, index) => seen.indexOf(rule) !== index);
      if (untested.length + twice.length > 0) throw new Error(`rules without a test: ${untested.join()}; with two: ${twice.join()}`);
    },
  };
};
