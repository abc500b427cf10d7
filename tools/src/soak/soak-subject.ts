import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startTestCluster, type TestCluster } from '../../../apps/controller/src/testing/clusters/test-cluster.ts';
import { startStoryIn } from '../../../apps/controller/src/testing/stories/story.ts';
import { bundleModule } from '../bench/controller/bundled.ts';
import { chartEnvironment, chartFlags } from '../chart-process.ts';
import { isBugLine } from '../faults/replica.ts';
import { collectedHeap, type ProcessUse } from './process-use.ts';
import { startTlsFront, type TlsFront } from './tls-front.ts';

/** A cluster with a controller in it, whose use of memory and time is measured. */
export interface SoakSubject extends AsyncDisposable {
  readonly cluster: TestCluster;
  /** Where the controller reaches the API server; absent where it needs neither certificate nor token. */
  readonly front?: TlsFront;
  /** Undefined: its process has ended. */
  use(): Promise<ProcessUse | undefined>;
  /** The controller's process has ended, or its controllers met a bug. */
  hasFailed(): boolean;
}

const environmentOf = (cluster: TestCluster): Readonly<Record<string, string>> => ({
  ...cluster.environment(),
  FEATURE_GATES: 'NodeOverlay=true',
});

/** At real speed: the bundled controller in a process of its own, with the heap that the chart gives it. */
export const soakedProcess = async (): Promise<SoakSubject> => {
  await using parts = new AsyncDisposableStack();
  const cluster = parts.use(await startTestCluster());
  const front = parts.use(await startTlsFront(cluster.kubeconfig()));
  const bundle = parts.use(await bundleModule(new URL('../../../apps/controller/src/main.ts', import.meta.url)));
  const child = fork(bundle.path, {
    execArgv: ['--expose-gc', '--no-warnings', ...chartFlags, '--import', fileURLToPath(new URL('./probe.ts', import.meta.url))],
    env: { ...chartEnvironment, ...environmentOf(cluster), KUBECONFIG: front.kubeconfigPath, METRICS_PORT: '0', HEALTH_PROBE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let hasBug = false;
  if (child.stdout === null) throw new Error('the controller has no log');
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!isBugLine(line)) return;
    hasBug = true;
    process.stderr.write(`${line}\n`);
  });
  parts.defer(() => void child.kill('SIGKILL'));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const hasFailed = (): boolean => hasBug || hasEnded();
  const ended = once(child, 'exit').then(() => undefined);
  const use = async (): Promise<ProcessUse | undefined> => {
    if (hasEnded()) return undefined;
    child.send('use');
    const answer = once(child, 'message') as Promise<[ProcessUse]>;
    const first = await Promise.race([answer, ended]);
    return first?.[0];
  };
  const running = parts.move();
  return { cluster, front, use, hasFailed, [Symbol.asyncDispose]: () => running.disposeAsync() };
};

/** On a clock that leaps: cluster, Azure and controller share this process, and the figures are those of all of it. */
export const soakedStory = async (): Promise<SoakSubject> => {
  const story = await startStoryIn({ variables: environmentOf });
  // What Azure and the API server remember of the past is theirs. Requests hold whole bodies.
  const use = (): Promise<ProcessUse> => {
    story.cluster.arm.requests.clear();
    story.cluster.faults.compact();
    story.lines.length = 0;
    const { rss } = process.memoryUsage();
    const heap = collectedHeap();
    const resources = process.getActiveResourcesInfo();
    return Promise.resolve({ ...heap, residentBytes: rss, handles: resources.length });
  };
  return { cluster: story.cluster, use, hasFailed: () => story.bugs.length > 0, [Symbol.asyncDispose]: () => story[Symbol.asyncDispose]() };
};
