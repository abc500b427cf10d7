import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as the test server saw it. */
interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers one request; `attempt` counts from 1 over all requests. */
export type Answer = (request: SeenRequest, response: ServerResponse, attempt: number) => void;

/** A small HTTP server on loopback that records its requests. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  readonly connections: number;
  closeIdle(): void;
  close(): Promise<void>;
}

/** Writes a JSON answer. */
export const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Starts a server that answers with `answer`. */
export const startTestServer = async (answer: Answer): Promise<TestServer> => {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      requests.push(seen);
      answer(seen, response, requests.length);
    });
  });
  server.on('connection', (socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get connections() {
      return sockets.size;
    },
    closeIdle: () => server.closeIdleConnections(),
    close,
    [Symbol.asyncDispose]: close,
  };
};
