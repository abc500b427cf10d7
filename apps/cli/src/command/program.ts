import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { CommandError, COMMAND_EXIT, type CommandExitCode } from '../exit-code.ts';
import { completionScript, type CompletionShell, SHELLS } from './completion.ts';
import { examplesOf } from './examples.ts';
import type { PreflightFlags } from '../preflight/preflight-command.ts';
import { outputOption, type SourceFlags, withSourceOptions } from './source-options.ts';
import { visible } from '../render/paper.ts';
import type { World } from './world.ts';

/** Runs a command once its flags are read. */
type Run<F> = (flags: F, world: World) => Promise<CommandExitCode>;

/** A command that is loaded when it is called, so that `--help` stays quick. */
const calling =
  <F>(world: World, end: (code: CommandExitCode) => void, load: () => Promise<Run<F>>) =>
  async (flags: F): Promise<void> => {
    const run = await load();
    end(await run(flags, world));
  };

const addNodes = (program: Command, world: World, end: (code: CommandExitCode) => void): void => {
  withSourceOptions(program.command('nodes').description('the nodes: fill, price, state, and what holds each of them'))
    .option('--pool <name>', 'only nodes of this NodePool')
    .option('-w, --watch', 'stay, and show what changes')
    .addHelpText('after', examplesOf('nodes'))
    .action(calling(world, end, async () => (await import('./nodes-command.ts')).runNodes));
};

const MANIFESTS = '-f, --filename <file...>';

const addPlan = (program: Command, world: World, end: (code: CommandExitCode) => void): void => {
  withSourceOptions(program.command('plan').description('the nodes that pods need, their price, and what others would cost'))
    .requiredOption(MANIFESTS, 'pods and workloads (Deployments, Jobs, …), and NodePools; - is standard input')
    .addOption(new Option('--capacity <type>', 'only this capacity type').choices(['spot', 'on-demand', 'reserved']))
    .addOption(new Option('--arch <name>', 'only this architecture').choices(['amd64', 'arm64']))
    .option('--pool <name>', 'only this NodePool')
    .addHelpText('after', examplesOf('plan'))
    .action(calling(world, end, async () => (await import('./plan-command.ts')).runPlan));
};

const addWhy = (program: Command, world: World, end: (code: CommandExitCode) => void): void => {
  withSourceOptions(program.command('why').argument('<target>', 'pod/NAME, pod/NAMESPACE/NAME or node/NAME'))
    .description('why a pod waits and where it would go, or why a node stays')
    .option('-n, --namespace <name>', 'namespace of the pod; default: that of the context')
    .addHelpText('after', examplesOf('why'))
    .action(async (target: string, flags: SourceFlags & { readonly namespace?: string }) => {
      const { runWhy } = await import('./why-command.ts');
      end(await runWhy({ ...flags, target }, world));
    });
};

const addDiff = (program: Command, world: World, end: (code: CommandExitCode) => void): void => {
  withSourceOptions(
    program.command('diff').description('what a changed NodePool or class would do: nodes that drift, pods without a place, price'),
  )
    .requiredOption(MANIFESTS, 'the changed manifests; - is standard input')
    .addHelpText('after', examplesOf('diff'))
    .action(calling(world, end, async () => (await import('./diff-command.ts')).runDiff));
};

const addSavings = (program: Command, world: World, end: (code: CommandExitCode) => void): void => {
  withSourceOptions(
    program.command('savings').description('what consolidation would save, what holds the rest, what a full repacking would cost'),
  )
    .addHelpText('after', examplesOf('savings'))
    .action(calling(world, end, async () => (await import('./savings-command.ts')).runSavings));
};

const podsOf = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

const dollarsOf = (text: string): string => {
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be an amount such as 2.5.');
  return text;
};

const addRebalance = (program: Command, world: World, end: (code: CommandExitCode) => void): void => {
  withSourceOptions(
    program.command('rebalance').description('the nodes that save most if they go together, in waves that keep all budgets'),
  )
    .option('--max-moves <pods>', 'pods that may move, all waves together; default: any number', podsOf)
    .option('--apply', 'let the controller carry it out: creates a RebalancePlan, the only write of this program')
    .option('--name <name>', 'name of the RebalancePlan; default: rebalance- and the time')
    .option('--target-savings <dollars>', 'dollars an hour after which no further wave starts', dollarsOf)
    .addHelpText('after', examplesOf('rebalance'))
    .action(calling(world, end, async () => (await import('./rebalance-command.ts')).runRebalance));
};

const addConvert = (program: Command, world: World, end: (code: CommandExitCode) => void): void => {
  program
    .command('convert')
    .argument('[file...]', 'manifests; without a file, or for -, standard input')
    .description('manifests of former versions (Provisioner v1alpha5, NodePool v1beta1, AKSNodeClass v1alpha2) in the current one')
    .addHelpText('after', examplesOf('convert'))
    .action(async (files: readonly string[]) => {
      const { runConvert } = await import('../convert/convert-command.ts');
      end(await runConvert(files, world));
    });
};

const addPreflight = (program: Command, world: World, end: (code: CommandExitCode) => void): void => {
  program
    .command('preflight')
    .description('whether Azure has what the controller needs, and what to run where it has not; takes its flags and environment')
    .addOption(new Option('--cloud-provider <name>', 'whose cloud is checked').choices(['azure']).default('azure'))
    .option('--kubeconfig <file>', 'cluster whose NodePools and classes count; default: as kubectl')
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(outputOption())
    .addOption(new Option('--json', 'the same as --output json').implies({ output: 'json' }))
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', examplesOf('preflight'))
    .action(async (flags: PreflightFlags, { args }: Command) => {
      const { runPreflight } = await import('../preflight/preflight-command.ts');
      end(await runPreflight(args, flags, world));
    });
};

const addCompletion = (program: Command, world: World, end: (code: CommandExitCode) => void): void => {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell, or kubectl, that completes').choices(SHELLS))
    .description('a script that makes a shell complete commands and flags')
    .addHelpText('after', examplesOf('completion'))
    .action((shell: CompletionShell) => {
      world.out.write(completionScript(program, shell));
      end(COMMAND_EXIT.ok);
    });
};

/** The program with all its commands. `end` is called with what the process should end with. */
const programFor = (world: World, end: (code: CommandExitCode) => void): Command => {
  const program = new Command('karpenter')
    .description(
      'Ask a cluster about its nodes: what they cost, why they stay, why pods wait, and what would change. It only reads, but for rebalance --apply.',
    )
    .version(manifest.version, '--version', 'the version of this program')
    .showHelpAfterError('(karpenter --help lists commands and flags)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => world.out.write(text), writeErr: (text) => world.complain(text.trimEnd()) })
    .configureHelp({ helpWidth: world.out.width ?? 100 });
  for (const add of [addNodes, addPlan, addWhy, addDiff, addSavings, addRebalance, addConvert, addPreflight, addCompletion])
    add(program, world, end);
  return program;
};

/** Runs the command line and returns what the process should end with. */
export const runCli = async (argv: readonly string[], given: World): Promise<CommandExitCode> => {
  const world: World = { ...given, complain: (line) => given.complain(visible(line)) };
  let code: CommandExitCode = COMMAND_EXIT.ok;
  try {
    await programFor(world, (ended) => (code = ended)).parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? COMMAND_EXIT.ok : COMMAND_EXIT.usage;
    if (!(error instanceof CommandError)) throw error;
    world.complain(error.message);
    return error.exitCode;
  }
};
