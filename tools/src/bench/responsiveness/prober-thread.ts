/**
 * In a thread of its own: requests `/healthz` of a port, by a new connection every few milliseconds as probes do. When
 * it is stopped, it posts how long each answer took.
 */
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { port, everyMs } = workerData as { readonly port: number; readonly everyMs: number };
const tookMs: number[] = [];
let isOver = false;
parentPort?.once('message', () => (isOver = true));

const ask = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const startMs = performance.now();
    get({ host: '127.0.0.1', port, path: '/healthz', agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(performance.now() - startMs));
    }).once('error', reject);
  });

await ask();
parentPort?.postMessage('ready');
while (!isOver) {
  tookMs.push(await ask());
  await sleep(everyMs);
}
parentPort?.postMessage(tookMs);
