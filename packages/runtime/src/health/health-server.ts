import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { HealthChecks } from './health-checks.ts';

/** What is served; what is left out answers 404, so that probes and metrics may have ports of their own. */
export interface HealthServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** All addresses when left out. */
  readonly host?: string;
  readonly healthz?: HealthChecks;
  readonly readyz?: HealthChecks;
  readonly metrics?: Registry;
}

/** A server that listens. */
export interface HealthServer extends AsyncDisposable {
  readonly port: number;
  close(): Promise<void>;
}

const send = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
};

const sendChecks = (response: ServerResponse, checks: HealthChecks): void => {
  const failing = checks.failing();
  if (failing.size === 0) send(response, 200, 'ok\n');
  else send(response, 503, [...failing].map(([name, why]) => `${name}: ${why}\n`).join(''));
};

const sendMetrics = async (response: ServerResponse, registry: Registry): Promise<void> => {
  try {
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  } catch (error) {
    send(response, 500, `${error instanceof Error ? error.message : String(error)}\n`);
  }
};

const answer = async (path: string, response: ServerResponse, { healthz, readyz, metrics }: HealthServerOptions): Promise<void> => {
  if (path === '/healthz' && healthz !== undefined) sendChecks(response, healthz);
  else if (path === '/readyz' && readyz !== undefined) sendChecks(response, readyz);
  else if (path === '/metrics' && metrics !== undefined) await sendMetrics(response, metrics);
  else send(response, 404, 'not found\n');
};

const listening = (server: Server, { port, host }: HealthServerOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });

/** Serves `/healthz`, `/readyz` and `/metrics`. Rejects with Node's error (`EADDRINUSE`) when it cannot listen. */
export const startHealthServer = async (options: HealthServerOptions): Promise<HealthServer> => {
  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    void answer(path, response, options);
  });
  await listening(server, options);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, close, [Symbol.asyncDispose]: close };
};
