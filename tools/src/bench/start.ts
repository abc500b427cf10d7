/**
 * `pnpm bench:start`: how long the bundled controller takes to `--help`, and to its line `started`. It starts against
 * an embedded cluster and Azure in this process, whose answers are part of the figure. Also how long the command line
 * takes to `--help`, with its processor time, which other work does not change. Median of 7; build first. `--json`
 * prints JSON.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startEmbeddedCluster } from '@karpenter/simulator';
import { chartCrds } from '../chart-crds.ts';
import { repository } from '../repository.ts';
import { usageHook, usageIn } from './process-usage.ts';
import { report } from './report.ts';

const RUNS = 7;

const start = (args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess =>
  spawn(process.execPath, [repository('apps/controller/dist/main.mjs'), ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });

const untilHelp = async (): Promise<void> => {
  const child = start(['--help'], {});
  child.stdout?.resume();
  await once(child, 'exit');
};

const untilStarted = async (env: Readonly<Record<string, string>>): Promise<() => Promise<void>> => {
  const child = start(['--metrics-port=0', '--health-probe-port=0', '--disable-leader-election=true'], env);
  if (child.stdout === null) throw new Error('the controller has no standard output');
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"started"')) break;
  return async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
};

const median = (values: readonly number[]): number => Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);

/** Median of the times that `run` takes, in milliseconds; what it gives is awaited outside the measure. */
const medianMs = async (run: () => Promise<(() => Promise<void>) | undefined>): Promise<number> => {
  const times: number[] = [];
  for (let index = 0; index < RUNS; index += 1) {
    const startedAtMs = performance.now();
    const end = await run();
    times.push(performance.now() - startedAtMs);
    await end?.();
  }
  return median(times);
};

const commandLineHelp = (): { readonly wallMs: number; readonly processorMs: number } => {
  const startedAtMs = performance.now();
  const args = [`--import=${usageHook}`, repository('apps/cli/dist/main.js'), '--help'];
  const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { wallMs: performance.now() - startedAtMs, processorMs: usageIn(stderr).processorSeconds * 1000 };
};

const commandLineRuns = Array.from({ length: RUNS }, commandLineHelp);
const helpMs = await medianMs(async () => {
  await untilHelp();
  return undefined;
});
const cluster = await startEmbeddedCluster({ crds: chartCrds() });
const startedMs = await medianMs(() => untilStarted(cluster.environment()));
report([
  { case: 'bundle to --help', figure: helpMs, unit: 'ms', atMost: 400 },
  { case: 'bundle to "started", with the answers of cluster and Azure', figure: startedMs, unit: 'ms' },
  { case: 'command line to --help', figure: median(commandLineRuns.map(({ wallMs }) => wallMs)), unit: 'ms', atMost: 300 },
  {
    case: 'command line to --help: processor',
    figure: median(commandLineRuns.map(({ processorMs }) => processorMs)),
    unit: 'ms',
    atMost: 300,
  },
]);
// The embedded cluster's timers would keep the process.
await cluster.stop();
process.exit(0);
