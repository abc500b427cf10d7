import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { systemClock } from '@karpenter/runtime';
import { runCli } from './command/program.ts';
import { COMMAND_EXIT, type CommandExitCode } from './exit-code.ts';
import { paperOf } from './render/paper.ts';

/** Runs the command line on the streams, the environment and the signals of this process. */
export const runProcess = async (argv: readonly string[]): Promise<CommandExitCode> => {
  const { stdin, stdout, stderr, env } = process;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    // The reader, such as `head`, has closed the pipe.
    process.exit(COMMAND_EXIT.ok);
  });
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  return runCli(argv, {
    out: paperOf(stdout, env),
    complain: (line) => stderr.write(`karpenter: ${line}\n`),
    readText: (file) => (file === '-' ? text(stdin) : readFile(file, 'utf8')),
    env,
    clock: systemClock,
    signal: stopping.signal,
  });
};
