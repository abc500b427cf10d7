import { StartError } from '@karpenter/core/provider-kit';
import { createPinoLogger } from '@karpenter/runtime';
import { EXIT } from './exit-code.ts';
import { runKarpenter } from './controller-run.ts';
import { parseArguments } from './settings/arguments.ts';
import { parseSettings } from './settings/settings-parser.ts';
import { readCommandLine } from './settings/command-line.ts';
import { switchLogLevel } from './log-level-switch.ts';

const complain = (lines: readonly string[]): void => {
  for (const line of lines) process.stderr.write(`karpenter: ${line}\n`);
};

/** The cause is printed only with log level debug. */
const detailsOf = ({ cause }: StartError): readonly string[] => {
  const { settings } = parseSettings(parseArguments(process.argv.slice(2)).given, process.env);
  return settings.logLevel === 'debug' && cause instanceof Error ? [`caused by ${cause.stack ?? cause.message}`] : [];
};

/** Aborted on SIGTERM and SIGINT. A second signal ends the process at once. */
const shutdownSignal = (): AbortSignal => {
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort(signal));
  return stopping.signal;
};

/** Subcommands of the command line that the controller has too: its image may be the only Node.js at hand. */
const COMMANDS = ['convert', 'preflight'];

/** Loaded on demand: the controller itself has no use for it. Its exit codes are those of the command line. */
const runCommandLine = async (argv: readonly string[]): Promise<number> => {
  const { runProcess } = await import('@karpenter/cli/process');
  return runProcess(argv);
};

const main = async (): Promise<number> => {
  const argv = process.argv.slice(2);
  if (COMMANDS.includes(argv[0] ?? '')) return runCommandLine(argv);
  const read = await readCommandLine(argv, process.env);
  switch (read.kind) {
    case 'help':
      process.stdout.write(`${read.text}\n`);
      return EXIT.ok;
    case 'refused':
      complain(read.problems);
      return EXIT.usage;
    case 'run': {
      const { logLevel: chosen } = read.settings;
      const logger = createPinoLogger({ level: chosen });
      switchLogLevel(process, { logger, chosen });
      // The process ends then, because its state can no longer be trusted; the log says why.
      process.on('uncaughtExceptionMonitor', (error, origin) => logger.error('the process ends', { origin, error }));
      const code = await runKarpenter({ ...read, logger, signal: shutdownSignal() });
      // What a plugin has left behind, timers or sockets, does not hold up the end.
      process.exit(code);
    }
  }
};

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  complain([error.message, ...detailsOf(error)]);
  // Abandoned calls may still hold sockets open: do not wait for them.
  process.exit(EXIT.failed);
}
