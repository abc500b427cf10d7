import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { HealthChecks } from './health-checks.ts';
import { errorMessage } from '../failure/failures.ts';

/** What is served; what is left out answers 404, so that probes and metrics may have ports of their own. */
export interface HealthServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** All addresses when left out. */
  readonly host?: string;
  readonly healthz?: HealthChecks;
  readonly readyz?: HealthChecks;
  readonly metrics?: Registry;
  /** A client that neither reads nor writes for so long is cut off. Left out: a minute. */
  readonly silentMs?: number;
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

/** A scrape of a large cluster has tens of megabytes, which stay until the client has read them. */
const MOST_SCRAPES = 8;
const SILENT_MS = 60_000;

/** Answers scrapes of the registry. Those that come while one is made get the same text. */
const scraped = (registry: Registry): ((response: ServerResponse) => Promise<void>) => {
  let making: Promise<Buffer> | undefined;
  let open = 0;
  const make = async (): Promise<Buffer> => {
    try {
      return Buffer.from(await registry.metrics());
    } finally {
      making = undefined;
    }
  };
  return async (response) => {
    if (open >= MOST_SCRAPES) {
      send(response, 503, `${MOST_SCRAPES} scrapes are being read\n`);
      return;
    }
    open += 1;
    response.once('close', () => (open -= 1));
    try {
      const text = await (making ??= make());
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    } catch (error) {
      send(response, 500, `${errorMessage(error)}\n`);
    }
  };
};

/** Answers a request for the path. */
const answering = ({ healthz, readyz, metrics }: HealthServerOptions): ((path: string, response: ServerResponse) => void) => {
  const scrape = metrics && scraped(metrics);
  return (path, response) => {
    if (path === '/healthz' && healthz !== undefined) sendChecks(response, healthz);
    else if (path === '/readyz' && readyz !== undefined) sendChecks(response, readyz);
    else if (path === '/metrics' && scrape !== undefined) scrape(response).catch(() => response.destroy());
    else send(response, 404, 'not found\n');
  };
};

const listening = (server: Server, { port, host }: HealthServerOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });

/**
 * Serves `/healthz`, `/readyz` and `/metrics`. Eight scrapes are read at once: the ninth gets 503. Rejects with Node's
 * error (`EADDRINUSE`) when it cannot listen.
 */
export const startHealthServer = async (options: HealthServerOptions): Promise<HealthServer> => {
  const answer = answering(options);
  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    answer(path, response);
  });
  server.setTimeout(options.silentMs ?? SILENT_MS);
  await listening(server, options);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, close, [Symbol.asyncDispose]: close };
};
