import { readFile } from 'node:fs/promises';
import { systemClock } from '@karpenter/runtime';
import { runCli } from '../../../../apps/cli/src/command/program.ts';
import { assertUseful } from './assert-useful.ts';

/** What `karpenter` answers without a cluster. */
const ANSWERED = ['convert', 'completion'];

/** `karpenter convert …` and `karpenter completion …` answer as the command line does. */
export const karpenter = async (words: readonly string[]): Promise<void> => {
  assertUseful(ANSWERED.includes(words[0] ?? ''), `karpenter ${words.join(' ')}`);
  const code = await runCli(words, {
    out: { write: (text) => void process.stdout.write(text), width: undefined, hasColor: false },
    complain: (line) => process.stderr.write(`${line}\n`),
    readText: (name) => readFile(name, 'utf8'),
    env: {},
    clock: systemClock,
    signal: new AbortController().signal,
  });
  assertUseful(code === 0, `karpenter ${words.join(' ')} ended with ${code}`);
};

/** `node apps/controller/dist/main.mjs convert …` converts; the link to the command line is the command line. */
export const node = async ([file = '', ...words]: readonly string[]): Promise<void> => {
  const isController = file === 'apps/controller/dist/main.mjs' && words[0] === 'convert';
  assertUseful(isController || file.endsWith('/.cache/bin/karpenter'), `node ${file} ${words.join(' ')}`);
  await karpenter(words);
};
