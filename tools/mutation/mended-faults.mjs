/**
 * Puts each mended fault of the solver back, one at a time, and prints which tests notice it: `pnpm mutate:faults
 * [NAME…]`. Fails where a test that is to hold the fault passes with it. The faults stand in `mended-faults.json`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { takeCollected } from './collected-tests.mjs';
import { findSourcesIn } from './source-hooks.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const urlOf = (file) => pathToFileURL(`${root}/${file}`).href;
const faults = JSON.parse(readFileSync(new URL('mended-faults.json', import.meta.url), 'utf8'));

/** From here on, sources have the fault when they are loaded. */
const putBack = ({ edits }) =>
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const own = edits.filter(({ file }) => urlOf(file) === url);
      if (own.length === 0) return loaded;
      return { ...loaded, source: own.reduce((source, { from, to }) => source.replace(from, to), String(loaded.source)) };
    },
  });

/** The first test of the file that fails; undefined when all pass. */
const firstFailing = async (file) => {
  await import(urlOf(file));
  for (const { name, run } of takeCollected()) {
    try {
      await run();
    } catch {
      return name;
    }
  }
  return undefined;
};

/** Tries one fault in this process. Laws draw the examples that they draw in `npm test`, and stop at the first that fails. */
const tryHere = async (fault) => {
  findSourcesIn(root);
  putBack(fault);
  fc.configureGlobal({ seed: 1, endOnFailure: true });
  for (const file of fault.heldBy) {
    const failing = await firstFailing(file);
    console.log(`  ${failing === undefined ? 'NOT NOTICED by' : 'noticed by'} ${file}${failing === undefined ? '' : `: ${failing}`}`);
    if (failing === undefined) process.exitCode = 1;
  }
};

const [, script, ...wanted] = process.argv;
if (process.env.MENDED_FAULT === undefined) {
  for (const { name, was } of faults.filter((fault) => wanted.length === 0 || wanted.includes(fault.name))) {
    console.log(`${name}: ${was}`);
    const { status } = spawnSync(process.execPath, [...process.execArgv, script], {
      env: { ...process.env, MENDED_FAULT: name },
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  }
} else await tryHere(faults.find(({ name }) => name === process.env.MENDED_FAULT));
