import {
  Agent as PlainAgent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestPlain,
  type RequestOptions,
} from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import type { TlsMaterial } from './connection.ts';

/** Connecting, with TLS, takes no longer. */
const CONNECT_MS = 10_000;
/** A server closes idle sockets too: kube-apiserver does after a minute and a half. */
const IDLE_MS = 30_000;
/** The system probes a silent connection from then on, so that a watch does not wait for a server that has vanished. */
const PROBE_MS = 60_000;

/** One request over HTTP. */
export interface SocketRequest extends Pick<RequestOptions, 'method' | 'path' | 'signal'> {
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | undefined;
}

/** Sockets to one server. Each request has one for itself, which the next one uses again. */
export interface HttpSockets {
  /** The answer, once its headers have come. Has no time limit beside that for connecting. */
  request(request: SocketRequest): Promise<IncomingMessage>;
  /** Whether a request is under way. */
  isInUse(): boolean;
  /** Ends all requests under way. */
  destroy(): void;
}

class ConnectTimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** One context for all sockets: each would parse the certificates, and keep its own. */
const tlsOptionsOf = ({ ca, certificate, key, serverName, insecure }: TlsMaterial) => ({
  secureContext: createSecureContext({ ca, cert: certificate, key }),
  ...(serverName === undefined ? {} : { servername: serverName }),
  rejectUnauthorized: insecure !== true,
});

const limitConnect = (socket: Socket, { isTls }: { readonly isTls: boolean }): void => {
  if (!socket.connecting) return;
  const expire = (): void => void socket.destroy(new ConnectTimeoutError(`no connection within ${CONNECT_MS} ms`));
  const timer = setTimeout(expire, CONNECT_MS);
  for (const event of [isTls ? 'secureConnect' : 'connect', 'close']) socket.once(event, () => clearTimeout(timer));
};

/** A whole turn of the event loop: Node then knows which idle sockets the server has closed, and uses none of them. */
const wholeTurn = async (): Promise<void> => {
  await turn();
  await turn();
};

/**
 * HTTP/1.1 also where the server has HTTP/2 (ADR 33), with Node's own parser: undici's needs WebAssembly, whose engine
 * and compiled code take several MiB (ADR 115).
 */
export const httpSockets = (server: URL, tls: TlsMaterial): HttpSockets => {
  const isTls = server.protocol === 'https:';
  const keeping = { keepAlive: true, keepAliveMsecs: PROBE_MS, timeout: IDLE_MS };
  const agent = isTls ? new TlsAgent({ ...keeping, ...tlsOptionsOf(tls) }) : new PlainAgent(keeping);
  const send = isTls ? requestTls : requestPlain;
  let isDestroyed = false;
  return {
    async request({ body, headers, ...options }) {
      if (Object.keys(agent.freeSockets).length > 0) await wholeTurn();
      if (isDestroyed) throw new Error('the connection to the server was closed');
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      return new Promise((resolve, reject) => {
        // The time limit of the agent is for idle sockets only.
        const sent = send(server, { ...options, agent, timeout: 0, headers: { ...headers, ...length } }, resolve);
        sent.on('error', reject);
        sent.on('socket', (socket) => limitConnect(socket, { isTls }));
        sent.end(body);
      });
    },
    isInUse: () => Object.keys(agent.sockets).length > 0,
    destroy: () => {
      isDestroyed = true;
      agent.destroy();
    },
  };
};
