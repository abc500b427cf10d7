import { request } from 'node:http';
import { request as requestTls } from 'node:https';

/** Any JSON object, read by path. */
export type Body = Readonly<Record<string, unknown>>;

/** How a server is reached. */
export interface Connection {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** What a call gave. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** One line of a watch. */
export interface WatchLine {
  readonly type: string;
  readonly object: Body;
}

/** A watch that collects its lines. */
interface OpenWatch extends Disposable {
  /** Resolves with the lines once there are `count`, or rejects when the stream ends before. */
  lines(count: number): Promise<readonly WatchLine[]>;
}

/** How a call differs from a plain GET. */
interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** Besides those of the connection, or instead of them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The plainest client there is, so that the suite states the wire and nothing else. */
export interface RawKubeClient {
  call(path: string, call?: Call): Promise<ApiAnswer>;
  watch(path: string): OpenWatch;
}

/** A watch that ended is several objects, one a line: text, as everything that is not one object. */
const bodyIn = (text: string): Body => {
  const isOneObject = text.startsWith('{') && !text.includes('\n{');
  return (isOneObject ? JSON.parse(text) : { text }) as Body;
};

/** A client of a server. */
export const createRawKubeClient = (connection: Connection): RawKubeClient => {
  const open = connection.url.startsWith('https:') ? requestTls : request;
  const { ca, cert, key } = connection;
  const options = { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) };
  const call: RawKubeClient['call'] = (
    path,
    { method = 'GET', body, contentType = 'application/json', accept = 'application/json', headers } = {},
  ) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const described = body === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(text) };
      const sent = { ...connection.headers, accept, ...described, ...headers };
      const outgoing = open(`${connection.url}${path}`, { ...options, method, headers: sent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, body: bodyIn(answer), headers: response.headers });
        });
        response.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  return {
    call,
    watch: (path) =>
      openWatch((onLine, onEnd) => {
        const outgoing = open(
          `${connection.url}${path}`,
          { ...options, headers: { ...connection.headers, accept: 'application/json' } },
          (response) => {
            let rest = '';
            response.setEncoding('utf8');
            response.on('data', (chunk: string) => {
              const parts = (rest + chunk).split('\n');
              rest = parts.pop() ?? '';
              for (const part of parts) onLine(JSON.parse(part) as WatchLine);
            });
            response.on('close', onEnd);
            response.on('error', onEnd);
          },
        );
        outgoing.on('error', onEnd);
        outgoing.end();
        return () => void outgoing.destroy();
      }),
  };
};

const openWatch = (start: (onLine: (line: WatchLine) => void, onEnd: () => void) => () => void): OpenWatch => {
  const lines: WatchLine[] = [];
  let waiting:
    | { readonly count: number; readonly resolve: (lines: readonly WatchLine[]) => void; readonly reject: (error: Error) => void }
    | undefined;
  let ended = false;
  const settle = (): void => {
    if (waiting === undefined) return;
    if (lines.length >= waiting.count) waiting.resolve(lines.slice(0, waiting.count));
    else if (ended) waiting.reject(new Error(`the watch ended after ${lines.length} lines: ${JSON.stringify(lines)}`));
  };
  const stop = start(
    (line) => {
      lines.push(line);
      settle();
    },
    () => {
      ended = true;
      settle();
    },
  );
  return {
    lines: (count) =>
      new Promise((resolve, reject) => {
        waiting = { count, resolve, reject };
        settle();
      }),
    [Symbol.dispose]: stop,
  };
};

/** The value at a dotted path; numbers index lists. */
export const at = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, member) => (typeof value === 'object' && value !== null ? (value as Body)[member] : undefined), body);
