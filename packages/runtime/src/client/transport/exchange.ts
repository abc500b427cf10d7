import type { IncomingMessage } from 'node:http';
import { connectionPool } from '../connection/connection-pool.ts';
import type { ClusterConnection } from '../connection/connection.ts';
import { type Deadline, deadline } from './deadline.ts';
import type { TransportOptions } from './transport-options.ts';
import type { TransportRequest } from './transport.ts';

const REQUEST_TIMEOUT_MS = 60_000;

/** Turns a response into what is kept of it; releases the deadline once nothing is read any more. */
export type ReadResponse<T> = (response: IncomingMessage, limit: Deadline) => Promise<T>;

/** One HTTP exchange, never repeated. Throws KubeErrors only. */
export interface HttpExchange {
  run<T>(request: TransportRequest, read: ReadResponse<T>): Promise<T>;
  readonly close: () => Promise<void>;
}

/** `list Pod`, or method and path where the caller named nothing. */
export const actionOf = (request: TransportRequest): string => request.operation ?? `${request.method} ${request.path}`;

const pathOf = (server: URL, { path, query }: TransportRequest): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value));
  const prefix = server.pathname.replace(/\/$/, '');
  return search.size === 0 ? prefix + path : `${prefix}${path}?${search.toString()}`;
};

const handOnDate = ({ headers: { date } }: IncomingMessage, onDate: TransportOptions['onDate']): void => {
  if (date !== undefined) onDate?.(date);
};

/** Exchanges over one connection pool, with credentials, a time limit and metrics. */
export const createExchange = (connection: ClusterConnection, { clock, userAgent, onRequest, onDate }: TransportOptions): HttpExchange => {
  const server = new URL(connection.server);
  const pool = connectionPool(connection, clock);

  const headersFor = async ({ body, contentType }: TransportRequest) => ({
    accept: 'application/json',
    'user-agent': userAgent ?? 'karpenter-runtime',
    ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
    ...(await connection.credentials?.headers()),
  });

  const dispatch = async (request: TransportRequest, signal: AbortSignal): Promise<IncomingMessage> => {
    const sockets = await pool.sockets();
    return sockets.request({
      path: pathOf(server, request),
      method: request.method,
      headers: await headersFor(request),
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      signal,
    });
  };

  const finisher = (request: TransportRequest) => {
    const startedAtMs = clock.now();
    return (result: string): void =>
      onRequest?.({
        method: request.method,
        operation: request.operation ?? request.method,
        result,
        durationMs: clock.now() - startedAtMs,
      });
  };

  return {
    async run(request, read) {
      const finish = finisher(request);
      const limit = deadline(clock, request.timeoutMs ?? REQUEST_TIMEOUT_MS, request.signal);
      try {
        const response = await dispatch(request, limit.signal);
        handOnDate(response, onDate);
        const value = await read(response, limit);
        finish(String(response.statusCode));
        return value;
      } catch (error) {
        limit.release();
        const failure = limit.explain(error, actionOf(request));
        finish(failure.code);
        throw failure;
      }
    },
    close: pool.close,
  };
};
