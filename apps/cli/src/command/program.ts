import { Command, CommanderError } from 'commander';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import { examplesOf } from './examples.ts';
import { withSourceOptions } from './source-options.ts';
import type { World } from './world.ts';

/** Runs a command once its flags are read. */
type Run<F> = (flags: F, world: World) => Promise<ExitCode>;

/** A command that is loaded when it is called, so that `--help` stays quick. */
const calling =
  <F>(world: World, end: (code: ExitCode) => void, load: () => Promise<Run<F>>) =>
  async (flags: F): Promise<void> => {
    const run = await load();
    end(await run(flags, world));
  };

const addNodes = (program: Command, world: World, end: (code: ExitCode) => void): void => {
  withSourceOptions(program.command('nodes').description('the nodes: fill, price, state, and what holds each of them'))
    .option('--pool <name>', 'only nodes of this NodePool')
    .option('-w, --watch', 'stay, and show what changes')
    .addHelpText('after', examplesOf('nodes'))
    .action(calling(world, end, async () => (await import('./nodes-command.ts')).runNodes));
};

/** The program with all its commands. `end` is called with what the process should end with. */
const programFor = (world: World, end: (code: ExitCode) => void): Command => {
  const program = new Command('karpenter')
    .description('Ask a cluster about its nodes: what they cost, why they stay, why pods wait, and what would change. It only reads.')
    .showHelpAfterError('(karpenter --help lists commands and flags)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => world.out.write(text), writeErr: (text) => world.complain(text.trimEnd()) })
    .configureHelp({ helpWidth: world.out.width ?? 100 });
  addNodes(program, world, end);
  return program;
};

/** Runs the command line and returns what the process should end with. */
export const runCli = async (argv: readonly string[], world: World): Promise<ExitCode> => {
  let code: ExitCode = EXIT.ok;
  try {
    await programFor(world, (ended) => (code = ended)).parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (!(error instanceof CommandError)) throw error;
    world.complain(error.message);
    return error.exitCode;
  }
};
