import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { assertUseful } from './assert-useful.ts';

const options = {
  file: { type: 'string', default: 'Dockerfile' },
  tag: { type: 'string' },
  target: { type: 'string' },
  output: { type: 'string' },
} as const;

/** `docker build …` names a Dockerfile that is there, and a stage of it. */
export const docker = ([verb, ...words]: readonly string[]): void => {
  assertUseful(verb === 'build', `docker ${String(verb)}`);
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
  assertUseful(positionals.join() === '.', `the context ${positionals.join(' ')}`);
  const stages = [...readFileSync(values.file, 'utf8').matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, stage]) => stage);
  assertUseful(values.target === undefined || stages.includes(values.target), `${values.file} has no stage ${String(values.target)}`);
};
