import { readFile } from 'node:fs/promises';
import { systemClock } from '@karpenter/runtime';
import { runCli } from '../../../../apps/cli/src/command/program.ts';
import { assertUseful } from './assert-useful.ts';

/** `node apps/controller/dist/main.mjs convert …` converts. */
export const node = async ([file, verb, ...files]: readonly string[]): Promise<void> => {
  assertUseful(file === 'apps/controller/dist/main.mjs' && verb === 'convert', `node ${String(file)} ${String(verb)}`);
  const code = await runCli(['convert', ...files], {
    out: { write: (text) => void process.stdout.write(text), width: undefined, hasColor: false },
    complain: (line) => process.stderr.write(`${line}\n`),
    readText: (name) => readFile(name, 'utf8'),
    env: {},
    clock: systemClock,
    signal: new AbortController().signal,
  });
  assertUseful(code === 0, `convert ended with ${code}`);
};
