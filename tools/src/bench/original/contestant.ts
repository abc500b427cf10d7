import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@karpenter/api-server/programs';

/** Clock ticks a second in `/proc/<pid>/stat`. */
const TICKS = 100;
const MIB = 1024;
const POLL_MS = 200;
const START_LIMIT_MS = 60_000;

/** A controller to be measured. */
export interface Contestant {
  readonly name: 'ours' | 'original';
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** CustomResourceDefinitions of the cluster that it runs on, as YAML. */
  readonly crds: readonly string[];
}

/** What a process has used. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly residentMib: number;
  readonly mostResidentMib: number;
}

/** A contestant at work. Disposing it ends its process. */
export interface RunningContestant extends AsyncDisposable {
  usage(): ProcessUsage;
  /** All metrics, in Prometheus' text format. */
  scrape(): Promise<string>;
}

const usageOf = (pid: number): ProcessUsage => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / MIB;
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS,
    residentMib: mebibytes('VmRSS'),
    mostResidentMib: mebibytes('VmHWM'),
  };
};

/** Sum of a metric's samples over all labels, in a text that was scraped. */
export const metricSum = (text: string, name: string): number =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Starts a controller and waits until it is ready. Its output goes into `logPath`. */
export const startContestant = async (
  { command: [program, ...args], env }: Contestant,
  { kubeconfigPath, logPath }: { readonly kubeconfigPath: string; readonly logPath: string },
): Promise<RunningContestant> => {
  const [metrics, health] = [await freePort(), await freePort()];
  const log = openSync(logPath, 'w');
  const child = spawn(program, args, {
    env: {
      ...{ HOME: '/nonexistent', KUBECONFIG: kubeconfigPath, METRICS_PORT: String(metrics), HEALTH_PROBE_PORT: String(health) },
      ...{ DISABLE_LEADER_ELECTION: 'true', SYSTEM_NAMESPACE: 'kube-system' },
      ...env,
    },
    stdio: ['ignore', log, log],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be started`);
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  for (let waitedMs = 0; !(await isReady(health)); waitedMs += POLL_MS) {
    if (waitedMs > START_LIMIT_MS || child.exitCode !== null) {
      await end();
      throw new Error(`${program} was not ready within a minute; see ${logPath}`);
    }
    await pause(POLL_MS);
  }
  const scrape = async (): Promise<string> => (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  return { usage: () => usageOf(pid), scrape, [Symbol.asyncDispose]: end };
};
