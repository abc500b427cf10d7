/**
 * The child process of the runtime benchmark: serves pods in pages over loopback, all of them encoded before the first
 * request, so that what is measured is the client. Says `{port, bytes}` to its parent when it is ready.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { realisticPod } from '../inputs/realistic-pod.ts';

const PAGE_SIZE = 500;
const count = Number(process.argv[2] ?? '50000');

const pageAt = (from: number): Buffer => {
  const items = Array.from({ length: Math.min(PAGE_SIZE, count - from) }, (_, offset) => realisticPod(from + offset));
  const rest = count - from - items.length;
  const metadata = { resourceVersion: '9000000', ...(rest > 0 ? { continue: String(from + items.length), remainingItemCount: rest } : {}) };
  return Buffer.from(JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata, items }));
};

const pages = new Map<string, Buffer>();
for (let from = 0; from < count; from += PAGE_SIZE) pages.set(String(from), pageAt(from));

const server = createServer((request, response) => {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  response.setHeader('content-type', 'application/json');
  if (query.has('watch')) response.writeHead(200).flushHeaders();
  else response.end(pages.get(query.get('continue') ?? '0'));
});
server.listen(0, '127.0.0.1', () => {
  const bytes = [...pages.values()].reduce((sum, page) => sum + page.length, 0);
  process.send?.({ port: (server.address() as AddressInfo).port, bytes });
});
process.on('disconnect', () => process.exit(0));
