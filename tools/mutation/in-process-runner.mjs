import { globSync } from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PluginKind, declareClassPlugin } from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus, determineHitLimitReached } from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import { takeCollected } from './collected-tests.mjs';
import { scopes } from './scopes.mjs';
import { findSourcesIn } from './source-hooks.mjs';
import { withinBudget } from './within-budget.mjs';

const { tests, lawMs } = scopes[process.env['MUTATION_SCOPE'] ?? 'requirements'];
const patterns = process.env['MUTATION_TESTS']?.split(' ') ?? tests;

/** What the mutated code reads and counts; Stryker's instrumenter names the fields. */
const switchboard = (globalThis.__stryker__ ??= {});
const off = { activeMutant: undefined, hitCount: undefined, hitLimit: undefined };

/** What a test of the whole code may compute, and one of a mutant: many times what the slowest takes. */
const DRY_RUN_MS = 60_000;
const MUTANT_RUN_MS = 2000;

const testsOf = async (file) => {
  await import(pathToFileURL(file).href);
  return takeCollected().map(({ name, run }) => ({ id: `${relative('.', file)} > ${name}`, run, lastMs: 0 }));
};

/** Undefined where the test passes, or else what it says. */
const failureOf = async (test, budgetMs = MUTANT_RUN_MS) => {
  const { tookMs, error, isOver } = await withinBudget(test.run, budgetMs);
  test.lastMs = tookMs;
  if (isOver) return { message: `was stopped after ${tookMs} ms`, isOver };
  return error && { message: error instanceof Error ? error.message : String(error), isOver: false };
};

const resultOf = ({ id, lastMs }, failure) => ({
  ...{ id, name: id, timeSpentMs: lastMs },
  ...(failure === undefined ? { status: TestStatus.Success } : { status: TestStatus.Failed, failureMessage: failure.message }),
});

const overrun = ({ message, isOver }) =>
  isOver ? { status: MutantRunStatus.Timeout, reason: message } : determineHitLimitReached(switchboard.hitCount, switchboard.hitLimit);

/**
 * Loads the tests once and runs each mutant against them in the same process, the quick tests first: Jest itself takes
 * seconds to start, the tests of a mutant take milliseconds. Only for tests that collect at load and keep nothing
 * between them.
 *
 * A mutant may leave something behind (in a memory that tests share). So a test that fails is run again without the
 * mutant: where that fails too, the process is left, and the mutant is tried in a fresh one unless this was it.
 */
class InProcessRunner {
  #tests = [];
  #isFresh = true;
  #isSpoilt = false;

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    findSourcesIn(process.cwd());
    // The same examples for each mutant, and none that is made smaller: that one fails is enough.
    fc.configureGlobal({ seed: 1, endOnFailure: true, ...(lawMs && { interruptAfterTimeLimit: lawMs }) });
    for (const file of globSync(patterns).toSorted()) this.#tests.push(...(await testsOf(file)));
  }

  async dryRun() {
    switchboard.mutantCoverage ??= { static: {}, perTest: {} };
    const tests = [];
    for (const test of this.#tests) {
      switchboard.currentTestId = test.id;
      tests.push(resultOf(test, await failureOf(test, DRY_RUN_MS)));
    }
    switchboard.currentTestId = undefined;
    return { status: DryRunStatus.Complete, tests, mutantCoverage: switchboard.mutantCoverage };
  }

  async mutantRun({ activeMutant, hitLimit, testFilter }) {
    if (this.#isSpoilt) throw new Error('the mutant before this one left something behind');
    const tests = this.#tests.filter(({ id }) => testFilter?.includes(id) ?? true).toSorted((a, b) => a.lastMs - b.lastMs);
    Object.assign(switchboard, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    const result = await this.#firstFailure(tests);
    this.#isFresh = false;
    return result;
  }

  async #firstFailure(tests) {
    for (const [index, test] of tests.entries()) {
      const failure = await failureOf(test);
      if (failure === undefined) continue;
      const result = overrun(failure) ?? {
        status: MutantRunStatus.Killed,
        killedBy: [test.id],
        failureMessage: failure.message,
        nrOfTests: index + 1,
      };
      await this.#lookForTraces(test);
      return result;
    }
    return { status: MutantRunStatus.Survived, nrOfTests: tests.length };
  }

  async #lookForTraces(test) {
    Object.assign(switchboard, off);
    this.#isSpoilt = (await failureOf(test)) !== undefined;
    if (this.#isSpoilt && !this.#isFresh) throw new Error('something was left behind, by this mutant or one before it');
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];
