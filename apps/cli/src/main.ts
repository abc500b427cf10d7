import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { systemClock } from '@karpenter/runtime';
import { runCli } from './command/program.ts';
import { EXIT } from './exit-code.ts';
import { paperOf } from './render/paper.ts';

const { stdin, stdout, stderr, env, argv } = process;

stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  // The reader, such as `head`, has closed the pipe.
  process.exit(EXIT.ok);
});

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

process.exitCode = await runCli(argv.slice(2), {
  out: paperOf(stdout, env),
  complain: (line) => stderr.write(`karpenter: ${line}\n`),
  readText: (file) => (file === '-' ? text(stdin) : readFile(file, 'utf8')),
  clock: systemClock,
  signal: stopping.signal,
});
