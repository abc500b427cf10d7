import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ArmCertificates } from '@karpenter/azure-emulator';
import { type AccountNames, anonymizer, cleaned, type Exchange, named, type Recording } from './recording.ts';

export interface RecordProxyOptions {
  /** The Resource Manager that requests go on to. */
  readonly upstream: string;
  /** Origin of the retail prices that requests go on to. Default that of the Resource Manager. */
  readonly pricesUpstream?: string;
  /** What signed its certificate, where that is no authority of this machine. */
  readonly upstreamCa?: string;
  /** Of the proxy itself. */
  readonly certificates: ArmCertificates;
  readonly names: Omit<AccountNames, 'resourceManager'>;
  /** Answers reads of facts (sizes, quota, images, prices, providers) as they were recorded; everything else goes on. */
  readonly replay?: Recording;
}

/** What the environment file of a controller says of this Azure. */
interface Endpoints {
  readonly resourceManagerEndpoint: string;
  readonly retailPricesEndpoint: string;
}

/** Stands between a controller and Azure Resource Manager with its retail prices, and keeps what passes. */
export interface RecordProxy extends AsyncDisposable {
  readonly endpoints: Endpoints;
  recording(at: Date): Recording;
  /** How many requests were answered from the recording. */
  replayed(): number;
}

/** Reads that do not depend on what the controller has made. */
const FACTS =
  /\/skus\?|\/usages\?|\/providers\/Microsoft\.[A-Za-z]+\?|\/communityGalleries\/|\/nodeImageVersions\?|\/galleries\/|^\/api\/retail\/prices\?/;

const PRICES_PATH = '/api/retail/prices';

interface Forwarded {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const parsed = (body: string): unknown => {
  try {
    return body === '' ? undefined : (JSON.parse(body) as unknown);
  } catch {
    return body;
  }
};

const forward = async (message: IncomingMessage, body: string, options: RecordProxyOptions): Promise<Forwarded> => {
  const { pricesUpstream = options.upstream, upstreamCa } = options;
  const upstream = message.url?.startsWith(PRICES_PATH) === true ? pricesUpstream : options.upstream;
  const { host } = new URL(upstream);
  const { 'accept-encoding': _encoding, ...headers } = message.headers;
  const call = request(new URL(message.url ?? '/', upstream), {
    method: message.method,
    headers: { ...headers, host },
    ...(upstreamCa !== undefined && { ca: upstreamCa }),
  });
  call.end(body);
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  const kept = Object.entries(answer.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')] as const,
  );
  return { status: answer.statusCode ?? 0, headers: Object.fromEntries(kept), body: await text(answer) };
};

const withHost = ({ names, upstream }: RecordProxyOptions): AccountNames => ({ ...names, resourceManager: new URL(upstream).host });

/** Target of a GET, in lower case → the answers that were recorded, oldest first. */
const factsOf = (options: RecordProxyOptions): ReadonlyMap<string, Exchange[]> => {
  const facts = new Map<string, Exchange[]>();
  for (const exchange of options.replay?.exchanges ?? []) {
    if (exchange.method !== 'GET' || exchange.status !== 200 || !FACTS.test(exchange.target)) continue;
    const filled = JSON.parse(named(JSON.stringify(exchange), withHost(options))) as Exchange;
    facts.set(filled.target.toLowerCase(), [...(facts.get(filled.target.toLowerCase()) ?? []), filled]);
  }
  return facts;
};

/** The oldest recorded answer that was not given yet; the last one stays. */
const replayed = (facts: ReadonlyMap<string, Exchange[]>, { method, url = '/' }: IncomingMessage): Forwarded | undefined => {
  const answers = method === 'GET' ? facts.get(url.toLowerCase()) : undefined;
  const answer = answers !== undefined && answers.length > 1 ? answers.shift() : answers?.[0];
  return answer && { status: answer.status, headers: answer.headers, body: JSON.stringify(answer.answer) };
};

/** Starts the proxy on loopback. Addresses of operations and of next pages in answers lead through it too. */
export const startRecordProxy = async (options: RecordProxyOptions): Promise<RecordProxy> => {
  const { certificates, upstream } = options;
  const exchanges: Exchange[] = [];
  const facts = factsOf(options);
  let replays = 0;
  const server = createServer({ cert: certificates.certPem, key: certificates.keyPem, maxHeaderSize: 65_536 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const through = (value: string): string => value.replaceAll(new URL(upstream).origin, url);

  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(message);
    const fact = replayed(facts, message);
    if (fact !== undefined) replays++;
    const { status, headers, body: answered } = fact ?? (await forward(message, body, options));
    const seen = { method: message.method ?? '', target: message.url ?? '', status, headers };
    exchanges.push({ ...seen, body: parsed(body), answer: parsed(answered) });
    const { 'transfer-encoding': _transfer, 'content-length': _length, ...rest } = headers;
    const led = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, through(value)]));
    response.writeHead(status, led).end(through(answered));
  };
  // A connection that fails upstream fails here: the controller is to see it.
  server.on('request', (message, response) => void answer(message, response).catch(() => message.socket.destroy()));
  return {
    endpoints: { resourceManagerEndpoint: url, retailPricesEndpoint: `${url}${PRICES_PATH}` },
    recording: (at) => {
      const anonymous = anonymizer(withHost(options));
      return { recordedAt: at.toISOString(), exchanges: exchanges.map((exchange) => cleaned(exchange, anonymous)) };
    },
    replayed: () => replays,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
