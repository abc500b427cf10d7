import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Decision } from '@karpenter/core/internal';
import { boundedText, type Clock, type Logger } from '@karpenter/runtime';
import { type DashboardSource, LiveState } from '../state/live-state.ts';
import { EventStream } from './event-stream.ts';
import { podRows } from './pod-rows.ts';
import { answerWhatIf, questionIn, type WhatIfSource } from './what-if.ts';
import { workloadRows } from './workloads.ts';

/** Path → the file of the page that is served there. */
export type PageFiles = Readonly<Record<string, { readonly type: string; readonly text: string }>>;

export interface DashboardOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly page: PageFiles;
  readonly source: DashboardSource & Pick<WhatIfSource, 'instanceTypes'>;
}

/** A dashboard that is served. */
export interface Dashboard extends AsyncDisposable {
  readonly port: number;
  /** Takes in a decision of the controller. */
  note(decision: Decision): void;
}

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const LOOPBACK_HOSTS = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;
const LOOPBACK_ADDRESSES = /^(localhost|127(\.\d+){3}|::1)$/i;
const MOST_BODY_BYTES = 64 * 1024;
const WHAT_IF_MS = 60_000;

const send = (response: ServerResponse, status: number, { type, text }: PageFiles[string]): void => {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
};
const sendJson = (response: ServerResponse, value: unknown, status = 200): void =>
  send(response, status, { type: 'application/json', text: JSON.stringify(value) });
const refuse = (response: ServerResponse, status: number, why: string): void => sendJson(response, { kind: 'refused', why }, status);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Answers requests. One what-if is worked out at a time. */
class Desk {
  readonly #options: DashboardOptions;
  readonly #live: LiveState;
  readonly #stream: EventStream;
  #isPlanning = false;

  constructor(options: DashboardOptions, live: LiveState, stream: EventStream) {
    this.#options = options;
    this.#live = live;
    this.#stream = stream;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const [path = '/'] = (request.url ?? '/').split('?');
    const file = this.#options.page[path];
    if (!this.#isMeantForUs(request)) refuse(response, 403, 'this address is served on loopback only');
    else if (path === '/api/what-if' && request.method === 'POST') await this.#whatIf(request, response);
    else if (request.method !== 'GET') refuse(response, 405, 'only GET, and POST of a what-if: nothing is changed here');
    else if (file !== undefined) send(response, 200, file);
    else this.#read(path, response);
  }

  /** On loopback, a page of another site whose name points to this machine must read nothing. */
  #isMeantForUs({ headers }: IncomingMessage): boolean {
    return !LOOPBACK_ADDRESSES.test(this.#options.host) || LOOPBACK_HOSTS.test(headers.host ?? '');
  }

  #read(path: string, response: ServerResponse): void {
    const { source, clock } = this.#options;
    const node = /^\/api\/nodes\/([^/]+)$/.exec(path)?.[1];
    if (path === '/api/events') this.#stream.open(response);
    else if (path === '/api/state') sendJson(response, this.#live.read(clock.now()));
    else if (path === '/api/workloads') sendJson(response, workloadRows(source.snapshot()));
    else if (node !== undefined) this.#sendNode(node, response);
    else refuse(response, 404, 'there is nothing here');
  }

  #sendNode(name: string, response: ServerResponse): void {
    const view = this.#options.source.snapshot().nodes.find((node) => encodeURIComponent(node.name) === name);
    if (view === undefined) refuse(response, 404, 'there is no such node');
    else sendJson(response, podRows(view));
  }

  async #whatIf(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { source, clock } = this.#options;
    // Another site can send no such type without being asked for permission first, which nobody gives.
    if (request.headers['content-type'] !== 'application/json') {
      refuse(response, 415, 'the body is to be application/json');
      return;
    }
    const { text = '' } = await boundedText(request, MOST_BODY_BYTES);
    const question = questionIn(parsed(text));
    if (question === undefined) refuse(response, 400, 'the question is not understood');
    else if (this.#isPlanning) refuse(response, 429, 'another what-if is being worked out');
    else {
      this.#isPlanning = true;
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const late = clock.setTimeout(() => gone.abort(), WHAT_IF_MS);
      try {
        sendJson(response, await answerWhatIf(question, { ...source, clock }, gone.signal));
      } catch (error) {
        if (!gone.signal.aborted) throw error;
        refuse(response, 503, `there was no answer within ${WHAT_IF_MS / 1000} s`);
      } finally {
        late.cancel();
        this.#isPlanning = false;
      }
    }
  }
}

const listening = (server: Server, { port, host }: DashboardOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });

/** Serves the page, its state and its events. Rejects with Node's error (`EADDRINUSE`) when it cannot listen. */
export const startDashboard = async (options: DashboardOptions): Promise<Dashboard> => {
  const { clock, logger, source } = options;
  const live = new LiveState(source);
  const stream = new EventStream({ clock, logger, read: () => live.read(clock.now()) });
  const desk = new Desk(options, live, stream);
  const server = createServer((request, response) => {
    desk.answer(request, response).catch((error: unknown) => {
      logger.warn('a request of the dashboard failed', { path: request.url, error });
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'the answer could not be made');
    });
  });
  await listening(server, options);
  const stopping = new AbortController();
  const running = stream.run(stopping.signal);
  return {
    port: (server.address() as AddressInfo).port,
    note: (decision) => live.note(decision, clock.now()),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      server.closeAllConnections();
      await Promise.all([running, new Promise((resolve) => server.close(resolve))]);
    },
  };
};
