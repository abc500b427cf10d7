import { writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setInterval } from 'node:timers';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** A case that runs may wait for a busy machine; it may not compute for so long. */
const CPU_LIMIT_MS = 30_000;
/** A case that only waits ends after so many times the limit of processor time. */
const WAIT = 20;
const CHECK_EVERY_MS = 100;

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * A plugin of fast-check that ends the process when one case does not end. A line on stderr names the test, the seed
 * and the case first. A case that computes without end keeps its thread, so another one watches it. Shared memory says
 * which case runs.
 */
export const createCaseWatchdog = ({ seed, nameOf }) => {
  const running = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const limitMs = Number(process.env['CASE_LIMIT_MS'] ?? CPU_LIMIT_MS);
  const worker = new Worker(new URL(import.meta.url), { workerData: { running, seed, limitMs } });
  worker.unref();
  let begun = 0;
  const plugin = () => {
    worker.postMessage(nameOf());
    let number = 0;
    const end = (result) => {
      Atomics.store(running, 0, 0);
      return result;
    };
    return {
      decorateRun:
        (run) =>
        (...args) => {
          [begun, number] = [begun + 1, number + 1];
          Atomics.store(running, 1, number);
          Atomics.store(running, 0, begun);
          const result = run(...args);
          return typeof result?.then === 'function' ? result.then(end) : end(result);
        },
    };
  };
  return { plugin, close: () => worker.terminate() };
};

/** Runs in the other thread. */
const watch = ({ running, seed, limitMs }) => {
  let test = 'a test';
  parentPort.on('message', (name) => {
    test = name;
  });
  let seen = { begun: 0, sinceMs: 0, cpuMs: 0 };
  setInterval(() => {
    const begun = Atomics.load(running, 0);
    if (begun === 0 || begun !== seen.begun) {
      seen = { begun, sinceMs: performance.now(), cpuMs: cpuMs() };
      return;
    }
    const [tookMs, computedMs] = [performance.now() - seen.sinceMs, cpuMs() - seen.cpuMs];
    if (computedMs < limitMs && tookMs < limitMs * WAIT) return;
    const times = `${Math.round(tookMs)} ms, ${Math.round(computedMs)} of them computing`;
    writeSync(2, `a case does not end: seed ${seed}, case ${Atomics.load(running, 1)} of ${test} (${times})\n`);
    process.kill(process.pid, 'SIGKILL');
  }, CHECK_EVERY_MS);
};

if (!isMainThread) watch(workerData);
