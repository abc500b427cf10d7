import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock, TimerHandle } from '@karpenter/runtime';
import type { RawRequest, ServiceAnswer } from './arm-service.ts';
import type { ArmCertificates } from './certificates.ts';
import type { ArmReply } from './route.ts';

export interface HttpsServer {
  readonly port: number;
  /** Answers from now on; answers that take their time take it from the clock. */
  serve(answer: (request: RawRequest) => ServiceAnswer, clock: Clock): void;
  /** Stops at once: open connections are cut, delayed answers dropped. */
  close(): Promise<void>;
}

const headersOf = (message: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );

const send = (response: ServerResponse, reply: ArmReply): void => {
  const body = reply.body === undefined ? '' : JSON.stringify(reply.body);
  response.writeHead(reply.status, {
    ...reply.headers,
    ...(body !== '' && { 'Content-Type': 'application/json; charset=utf-8' }),
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
};

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve((server.address() as AddressInfo).port);
    });
  });

/** The body of a request, or undefined when the client went away while it was still sending. */
const bodyUnlessGone = async (message: IncomingMessage): Promise<string | undefined> => {
  try {
    return await text(message);
  } catch {
    return undefined;
  }
};

/** The header of a batch of machines has the tags of each. */
const MAX_HEADERS_BYTES = 65_536;

/** Listens for HTTPS on loopback. @param port 0 for a free one */
export const listenHttps = async (certificates: ArmCertificates, port: number): Promise<HttpsServer> => {
  const delayed = new Set<TimerHandle>();
  const server = createServer({ cert: certificates.certPem, key: certificates.keyPem, maxHeaderSize: MAX_HEADERS_BYTES });
  server.keepAliveTimeout = 60_000;
  const later = (clock: Clock, delayMs: number, respond: () => void): void => {
    const timer = clock.setTimeout(() => {
      delayed.delete(timer);
      respond();
    }, delayMs);
    delayed.add(timer);
  };
  return {
    port: await listen(server, port),
    serve: (answer, clock) => {
      const respond = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
        const body = await bodyUnlessGone(message);
        if (body === undefined) return;
        const result = answer({ method: message.method ?? 'GET', target: message.url ?? '/', headers: headersOf(message), body });
        if (result.kind === 'reset') message.socket.destroy();
        else if (result.delayMs === 0) send(response, result.reply);
        else later(clock, result.delayMs, () => send(response, result.reply));
      };
      server.on('request', (message, response) => void respond(message, response));
    },
    close: () =>
      new Promise((resolve) => {
        for (const timer of delayed) timer.cancel();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
