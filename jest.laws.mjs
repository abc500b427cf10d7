import { afterAll, expect } from '@jest/globals';
import { createCaseWatchdog } from './jest.watchdog.mjs';
import fc from './node_modules/fast-check/lib/fast-check.js';

const said = process.env['LAWS_SEED'] ?? '1';
const seed = said === 'random' ? Date.now() % 2 ** 31 : Number(said);
if (!Number.isInteger(seed)) throw new TypeError(`LAWS_SEED is "${said}": expected a whole number, or "random"`);

/**
 * Laws draw the same examples at every run, so that a check turns red for what was changed and not by chance. `LAWS_SEED=random` draws
 * others, `LAWS_SEED=<the seed that a failure names>` those again. Tests get this file for `fast-check`: most have no laws, and loading it
 * takes 40 ms of the processor.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

const stateOf = () => expect.getState();
if (/[.]fuzz[.]/.test(stateOf().testPath ?? '')) {
  const watchdog = createCaseWatchdog({ seed, nameOf: () => `"${stateOf().currentTestName}" in ${stateOf().testPath}` });
  fc.installGlobalPlugin(watchdog.plugin);
  afterAll(() => watchdog.close());
}

export * from './node_modules/fast-check/lib/fast-check.js';
export default fc;
