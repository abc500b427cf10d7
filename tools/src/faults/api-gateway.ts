import { type Agent as HttpAgent, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { Agent, createServer as createHttpsServer, request as httpsRequest } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { Random } from '../bench/inputs/random.ts';

/** The API server that a gateway stands before, with the certificate and key that it shows itself. */
export interface Upstream {
  readonly url: string;
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** What happens to the traffic of one replica. */
export type Weather =
  | { readonly kind: 'clear' }
  /** Nothing passes, and no connection ends: packets are dropped. */
  | { readonly kind: 'silent' }
  /** Connections are reset, new ones too. */
  | { readonly kind: 'reset' }
  /** This share of requests fails: refused with 429, 500, 503 or 504, or carried out without an answer. */
  | { readonly kind: 'errors'; readonly share: number };

/** A port of loopback through which one replica reaches the API server. */
export interface ApiGateway extends AsyncDisposable {
  readonly url: string;
  /** Connections that were held or reset so far, and requests that were refused or whose answers were lost. */
  readonly hits: number;
  become(weather: Weather): void;
}

const REFUSALS = [
  { code: 429, reason: 'TooManyRequests' },
  { code: 500, reason: 'InternalError' },
  { code: 503, reason: 'ServiceUnavailable' },
  { code: 504, reason: 'Timeout' },
];
const refuse = (response: ServerResponse, { code, reason }: (typeof REFUSALS)[number]): void => {
  response.writeHead(code, { 'content-type': 'application/json', ...(code === 429 && { 'retry-after': '1' }) });
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'made up', reason, code };
  response.end(JSON.stringify(status));
};

export interface Forwarding {
  /** Where the request goes; `ca` where that is HTTPS. */
  readonly to: { readonly url: string; readonly ca?: string };
  readonly agent: HttpAgent;
  /** Headers in place of those of the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The request is carried out, and its answer lost. */
  readonly isAnswerLost?: boolean;
}

/** Passes a request on, and its answer back as it comes. */
export const forward = (asked: IncomingMessage, response: ServerResponse, { to, agent, headers, isAnswerLost }: Forwarding): void => {
  const lose = (): void => void response.destroy();
  const { method, url = '/' } = asked;
  const request = to.url.startsWith('https:') ? httpsRequest : httpRequest;
  const options = { method, headers: { ...asked.headers, ...headers }, agent, ...(to.ca !== undefined && { ca: to.ca }) };
  const passed = request(`${to.url}${url}`, options, (answer) => {
    if (isAnswerLost === true) {
      lose();
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    answer.on('error', lose).on('aborted', lose).pipe(response);
  });
  passed.on('error', lose);
  response.on('close', () => passed.destroy());
  asked.on('error', () => passed.destroy()).pipe(passed);
};

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** Connections in front, which can be dropped, held or passed on. */
class Front {
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly server: Server;
  weather: Weather['kind'] = 'clear';
  hits = 0;

  constructor(port: number) {
    this.server = createServer((socket) => this.#accept(socket, port));
  }

  become(kind: Weather['kind']): void {
    this.weather = kind;
    for (const [socket, inner] of this.#pairs) {
      if (kind === 'silent') this.#hold(socket, inner);
      else if (kind === 'reset') this.#reset(socket);
      // What was held is gone for good: both sides lost packets for longer than they wait.
      else if (socket.isPaused()) socket.destroy();
    }
  }

  #reset(socket: Socket): void {
    this.hits += 1;
    socket.destroy();
  }

  #hold(...pair: readonly [Socket, Socket]): void {
    this.hits += 1;
    const [socket, inner] = pair;
    socket.unpipe(inner).pause();
    inner.unpipe(socket).pause();
  }

  #accept(socket: Socket, port: number): void {
    if (this.weather === 'reset') {
      this.#reset(socket);
      return;
    }
    const inner = connect(port, '127.0.0.1');
    const pair = [socket, inner] as const;
    this.#pairs.add(pair);
    const end = (): void => {
      this.#pairs.delete(pair);
      socket.destroy();
      inner.destroy();
    };
    for (const side of pair) side.on('error', end).on('close', end);
    socket.pipe(inner);
    inner.pipe(socket);
    if (this.weather === 'silent') this.#hold(...pair);
  }

  async close(): Promise<void> {
    for (const [socket] of this.#pairs) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Starts one. */
export const startApiGateway = async (upstream: Upstream, random: Random): Promise<ApiGateway> => {
  let errorShare = 0;
  let badRequests = 0;
  const agent = new Agent({ keepAlive: true });
  const inner = createHttpsServer({ cert: upstream.certificatePem, key: upstream.keyPem }, (asked, response) => {
    const isBad = random.below(1000) < errorShare * 1000;
    if (isBad) badRequests += 1;
    const refusal = isBad ? REFUSALS[random.below(REFUSALS.length + 1)] : undefined;
    if (refusal !== undefined) refuse(response, refusal);
    else forward(asked, response, { to: { url: upstream.url, ca: upstream.certificatePem }, agent, isAnswerLost: isBad });
  });
  const front = new Front(await listening(inner));
  const port = await listening(front.server);
  return {
    url: `https://127.0.0.1:${port}`,
    get hits() {
      return front.hits + badRequests;
    },
    become: (weather) => {
      errorShare = weather.kind === 'errors' ? weather.share : 0;
      front.become(weather.kind);
    },
    [Symbol.asyncDispose]: async () => {
      await front.close();
      agent.destroy();
      inner.close();
    },
  };
};
