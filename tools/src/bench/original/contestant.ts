import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@karpenter/kube-api-contract/programs';
import { canMountApart, inPod, type PodCredentials } from './pod-credentials.ts';

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
  readonly pid: number;
  isRunning(): boolean;
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

/** How a controller reaches its cluster. */
export interface ContestantCluster {
  readonly kubeconfigPath: string;
  /** What a pod would have; taken in place of the kubeconfig where this machine lets a process have mounts of its own. */
  readonly pod?: PodCredentials;
}

/** Starts a controller and waits until it is ready. Its output goes into `logPath`. */
export const startContestant = async (
  { command, env }: Contestant,
  { cluster, logPath }: { readonly cluster: ContestantCluster; readonly logPath: string },
): Promise<RunningContestant> => {
  const [metrics, health] = [await freePort(), await freePort()];
  const log = openSync(logPath, 'w');
  const outside = { command, env: { KUBECONFIG: cluster.kubeconfigPath } };
  const placed = cluster.pod !== undefined && canMountApart() ? inPod(command, cluster.pod) : outside;
  const [program, ...args] = placed.command;
  const child = spawn(program, args, {
    env: {
      ...{ PATH: process.env['PATH'], HOME: '/nonexistent', METRICS_PORT: String(metrics), HEALTH_PROBE_PORT: String(health) },
      ...{ DISABLE_LEADER_ELECTION: 'true', SYSTEM_NAMESPACE: 'kube-system' },
      ...placed.env,
      ...env,
    },
    stdio: ['ignore', log, log],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be started`);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const end = async (): Promise<void> => {
    if (!isRunning()) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  for (let waitedMs = 0; !(await isReady(health)); waitedMs += POLL_MS) {
    if (waitedMs > START_LIMIT_MS || !isRunning()) {
      await end();
      throw new Error(`${command[0]} was not ready within a minute; see ${logPath}`);
    }
    await pause(POLL_MS);
  }
  const scrape = async (): Promise<string> => (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  return { pid, isRunning, usage: () => usageOf(pid), scrape, [Symbol.asyncDispose]: end };
};
