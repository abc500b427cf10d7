import { once } from 'node:events';
import { PerformanceObserver, performance, type PerformanceEntry } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { healthChecks, startHealthServer } from '@karpenter/runtime';

/** What others noticed while some work was done. All are milliseconds, one entry for each time. */
export interface Waits {
  readonly totalMs: number;
  /** Between two turns of the event loop. */
  readonly turns: readonly number[];
  /** The same less what the garbage collector took of it. */
  readonly turnsWithoutGc: readonly number[];
  /** How much of them the thread had a processor: the rest went to other processes of the machine. */
  readonly turnsOnProcessor: readonly number[];
  /** The garbage collector's pauses. */
  readonly gc: readonly number[];
  /** From asking `/healthz`, in another thread, to the answer. */
  readonly healthz: readonly number[];
  /** How late a timer fired that is set again and again, as a lease's is. */
  readonly timers: readonly number[];
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

const TIMER_MS = 10;
const PROBE_MS = 5;

const lengthOf = ({ startMs, endMs }: Span): number => endMs - startMs;

const overlap = (a: Span, b: Span): number => Math.max(0, Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs));

/** Processor time that this thread has had. */
export const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Notes each turn of the event loop. */
const watchTurns = () => {
  const turns: Span[] = [];
  const onProcessorMs: number[] = [];
  let startMs = performance.now();
  let startCpuMs = threadCpuMs();
  let next: NodeJS.Immediate;
  const turn = (): void => {
    const [endMs, endCpuMs] = [performance.now(), threadCpuMs()];
    turns.push({ startMs, endMs });
    onProcessorMs.push(endCpuMs - startCpuMs);
    [startMs, startCpuMs] = [endMs, endCpuMs];
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  return { turns, onProcessorMs, [Symbol.dispose]: () => clearImmediate(next) };
};

const watchTimer = () => {
  const late: number[] = [];
  let next: NodeJS.Timeout;
  const set = (): void => {
    const dueMs = performance.now() + TIMER_MS;
    next = setTimeout(() => {
      late.push(Math.max(0, performance.now() - dueMs));
      set();
    }, TIMER_MS);
  };
  set();
  return { late, [Symbol.dispose]: () => clearTimeout(next) };
};

const watchGc = () => {
  const pauses: Span[] = [];
  const add = (entries: readonly PerformanceEntry[]): void => {
    for (const { startTime, duration } of entries) pauses.push({ startMs: startTime, endMs: startTime + duration });
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return { pauses, flush: () => add(observer.takeRecords()), [Symbol.dispose]: () => observer.disconnect() };
};

const startProber = async (port: number) => {
  const worker = new Worker(new URL('./prober-thread.ts', import.meta.url), { workerData: { port, everyMs: PROBE_MS } });
  await once(worker, 'message');
  return async (): Promise<readonly number[]> => {
    const answer = once(worker, 'message');
    worker.postMessage('stop');
    const [tookMs] = (await answer) as [readonly number[]];
    await worker.terminate();
    return tookMs;
  };
};

/** Does some work, and measures how long everything else in the process had to wait meanwhile. */
export const measureWaits = async (work: () => unknown): Promise<Waits> => {
  await using server = await startHealthServer({ port: 0, host: '127.0.0.1', healthz: healthChecks() });
  const stopProber = await startProber(server.port);
  using gc = watchGc();
  using timer = watchTimer();
  using loop = watchTurns();
  const startMs = performance.now();
  await work();
  const totalMs = performance.now() - startMs;
  const healthz = await stopProber();
  gc.flush();
  const pauses = gc.pauses.filter((pause) => pause.endMs > startMs && pause.startMs < startMs + totalMs);
  return {
    totalMs,
    turns: loop.turns.map(lengthOf),
    turnsWithoutGc: loop.turns.map((turn) => lengthOf(turn) - pauses.reduce((sum, pause) => sum + overlap(turn, pause), 0)),
    turnsOnProcessor: loop.onProcessorMs,
    gc: pauses.map(lengthOf),
    healthz,
    timers: timer.late,
  };
};
