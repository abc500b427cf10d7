/**
 * `pnpm bench:large`: lists pods that are as large as the API server accepts, over loopback. The process has the heap
 * of the chart and follows every kind. `--json` prints JSON.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { followKinds, karpenterKinds } from '@karpenter/core/controllers';
import { createKubeClient, createTransport, kindTable, systemClock } from '@karpenter/runtime';
import { type Figure, report } from './report.ts';

const HEAP_MIB = 768;
const KIB = 1024;
const MIB = KIB ** 2;

const text = (index: number, length: number): string => `${index}-${'x'.repeat(length)}`.slice(0, length);

/** A little more than 256 KiB. */
const manyLabels = (index: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: 1300 }, (_, label) => [`${text(index, 60)}.${text(index, 60)}.example.com/label-${label}`, text(label, 63)]),
  );

const CASES = {
  'nothing else': { count: 0, podOf: () => ({}) },
  '200 pods of 1.4 MB of environment': {
    count: 200,
    podOf: () => ({
      spec: { containers: [{ name: 'a', env: Array.from({ length: 14 }, (_, at) => ({ name: `E${at}`, value: text(at, 100_000) })) }] },
    }),
  },
  '1,500 pods with 256 KiB of annotations': {
    count: 1500,
    podOf: (index: number) => ({ metadata: { annotations: { a: text(index, 256 * KIB) } } }),
  },
  '1,500 pending pods with 256 KiB of labels': { count: 1500, podOf: (index: number) => ({ metadata: { labels: manyLabels(index) } }) },
  '1,500 running pods with 256 KiB of labels': {
    count: 1500,
    podOf: (index: number) => ({ metadata: { labels: manyLabels(index) }, spec: { nodeName: 'a', containers: [{ name: 'a' }] } }),
  },
} as const;
type Case = keyof typeof CASES;

const podJson = (name: Case, index: number): string => {
  const { metadata, spec = { containers: [{ name: 'a' }] } }: { readonly metadata?: object; readonly spec?: object } =
    CASES[name].podOf(index);
  const own = { name: `p${index}`, namespace: 'shop', uid: String(index), resourceVersion: '1' };
  return JSON.stringify({ metadata: { ...own, ...metadata }, spec });
};

/** The API server: pods in pages, and none of any other kind. */
const serve = (name: Case): void => {
  const server = createServer((request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('content-type', 'application/json');
    if (query.has('watch')) {
      response.writeHead(200).flushHeaders();
      return;
    }
    const [from, count] = [Number(query.get('continue') ?? '0'), pathname === '/api/v1/pods' ? CASES[name].count : 0];
    const end = Math.min(count, from + Number(query.get('limit') ?? count));
    const metadata = { resourceVersion: '9', ...(end < count ? { continue: String(end) } : {}) };
    response.write(`{"metadata":${JSON.stringify(metadata)},"items":[`);
    for (let index = from; index < end; index += 1) response.write(`${index > from ? ',' : ''}${podJson(name, index)}`);
    response.end(']}');
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
};

const heapNow = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / MIB;
};

/** The controller's half: every cache, until all are synced. */
const follow = async (port: number, pages: 'usual' | 'small'): Promise<void> => {
  const startMs = performance.now();
  const transport = createTransport({ server: `http://127.0.0.1:${port}`, tls: {} }, { clock: systemClock });
  const client = createKubeClient(transport, kindTable(karpenterKinds), { pages: () => pages });
  const { all, caches } = followKinds({ client, clock: systemClock }, [], { buffers: true, podGroups: true, devices: true });
  const end = new AbortController();
  for (const cache of all) void cache.run(end.signal);
  await Promise.all(all.map((cache) => cache.waitForSync()));
  const tookMs = performance.now() - startMs;
  process.send?.({ peakMib: process.resourceUsage().maxRSS / KIB, heapMib: heapNow(), pods: caches.pods.list().length, tookMs });
};

interface Followed {
  readonly peakMib: number;
  readonly heapMib: number;
  readonly pods: number;
  readonly tookMs: number;
}

const startSelf = (args: readonly string[], heapMib: number): ChildProcess =>
  fork(fileURLToPath(import.meta.url), [...args], { execArgv: [...process.execArgv, '--expose-gc', `--max-old-space-size=${heapMib}`] });

/** What the process sent; undefined: it died first. */
const sentBy = async (child: ChildProcess): Promise<unknown> => {
  const [sent] = (await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])])) as readonly unknown[];
  return sent;
};

const measured = async (name: Case, pages: 'usual' | 'small'): Promise<readonly Figure[]> => {
  const server = startSelf(['serve', name], 2048);
  const child = startSelf(['follow', String(await sentBy(server)), pages], HEAP_MIB);
  const found = (await sentBy(child)) as Followed | undefined;
  server.kill();
  child.kill();
  const label = pages === 'small' ? `${name}, in small pages` : name;
  const { peakMib = Number.NaN, heapMib = Number.NaN, pods = Number.NaN, tookMs = Number.NaN } = found ?? {};
  return [
    { case: `${label}: resident at most`, figure: peakMib, unit: 'MiB', atMost: 1024 },
    { case: `${label}: heap when all is read`, figure: heapMib, unit: 'MiB', atMost: HEAP_MIB },
    { case: `${label}: pods in the cache`, figure: pods, unit: 'pods', atLeast: CASES[name].count },
    { case: `${label}: until all is read`, figure: tookMs / 1000, unit: 's' },
  ];
};

const [role, argument = '', pages] = process.argv.slice(2);
if (role === 'serve') serve(argument as Case);
else if (role === 'follow') await follow(Number(argument), pages === 'small' ? 'small' : 'usual');
else {
  const figures: Figure[] = [];
  for (const name of Object.keys(CASES) as readonly Case[]) figures.push(...(await measured(name, 'usual')));
  figures.push(...(await measured('200 pods of 1.4 MB of environment', 'small')));
  report(figures);
}
