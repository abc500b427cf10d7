/**
 * `pnpm bench:runtime`: lists 50,000 realistic pods over loopback through the runtime's client into its cache, decoded
 * and projected. The first argument that is a number replaces the count of pods; `--json` prints JSON.
 */
import { fork } from 'node:child_process';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { createKubeClient, createObjectCache, createTransport, kindTable, systemClock } from '@karpenter/runtime';
import { type LeanPod, leanPods, type RawPod } from './runtime/lean-pod.ts';
import { type Figure, report } from './report.ts';

const count = Number(process.argv.slice(2).find((each) => /^\d+$/.test(each)) ?? '50000');

interface Ready {
  readonly port: number;
  readonly bytes: number;
}

const startServer = async () => {
  const child = fork(fileURLToPath(new URL('./runtime/pod-server-process.ts', import.meta.url)), [String(count)], {
    execArgv: ['--max-old-space-size=2048'],
  });
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Ready));
    child.once('exit', (code) => reject(new Error(`the pod server ended with ${code ?? 'a signal'}`)));
  });
  return { ...ready, [Symbol.dispose]: () => child.disconnect() };
};

const heapAfterCollection = (): number => {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

const pods = kindTable([{ group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true }]);

/** One cold start: from nothing to a synced cache. */
const measure = async (port: number) => {
  const heapBefore = heapAfterCollection();
  const transport = createTransport({ server: `http://127.0.0.1:${port}`, tls: {} }, { clock: systemClock });
  const cache = createObjectCache<RawPod, LeanPod>({
    client: createKubeClient(transport, pods),
    kind: 'Pod',
    clock: systemClock,
    transform: leanPods(),
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const end = new AbortController();
  delay.enable();
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const run = cache.run(end.signal);
  await cache.waitForSync();
  const totalMs = performance.now() - startedAt;
  delay.disable();
  const cpu = process.cpuUsage(cpuBefore);
  const heapPerPod = (heapAfterCollection() - heapBefore) / cache.size;
  const { size } = cache;
  end.abort();
  await run;
  await transport.close();
  return { totalMs, cpuMs: (cpu.user + cpu.system) / 1000, longestPauseMs: delay.max / 1e6, heapPerPod, size };
};

const figuresOf = (
  { totalMs, cpuMs, longestPauseMs, heapPerPod, size }: Awaited<ReturnType<typeof measure>>,
  bytes: number,
): readonly Figure[] => [
  { case: 'pods listed, decoded and projected', figure: size, unit: 'pods', atLeast: count },
  { case: 'size of a pod on the wire', figure: bytes / count, unit: 'bytes' },
  { case: 'total time', figure: totalMs / 1000, unit: 's', atMost: (2.5 * count) / 50_000 },
  { case: 'processor time of the client, all threads', figure: cpuMs / 1000, unit: 's' },
  { case: 'longest pause of the event loop', figure: longestPauseMs, unit: 'ms', atMost: 100 },
  { case: 'heap per projected pod', figure: heapPerPod, unit: 'bytes', atMost: 3_000 },
];

using server = await startServer();
report(figuresOf(await measure(server.port), server.bytes));
