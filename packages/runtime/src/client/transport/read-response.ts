import type { Dispatcher } from 'undici';
import type { Clock } from '../../clock/clock.ts';
import type { Deadline } from './deadline.ts';
import { actionOf, type ReadResponse } from './exchange.ts';
import { KubeError } from '../kube-error.ts';
import { parseRetryAfter } from './retry-after.ts';
import type { TransportRequest, TransportResponse, TransportStream } from './transport.ts';

const headerOf = (response: Dispatcher.ResponseData, name: string): string | undefined => {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** The body as text and its length; no text where it is longer than `mostBytes`: then the rest is not read. */
const boundedText = async (
  { body }: Dispatcher.ResponseData,
  mostBytes: number,
): Promise<{ readonly text: string | undefined; readonly bytes: number }> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > mostBytes) return { text: undefined, bytes };
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString('utf8'), bytes };
};

const decode = (text: string, response: Dispatcher.ResponseData, action: string): unknown => {
  if (text === '') return undefined;
  if (headerOf(response, 'content-type')?.includes('json') !== true) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new KubeError(`${action}: the answer is not JSON`, { code: 'malformed', status: response.statusCode, cause: error });
  }
};

/** Reads an answer to its end and decodes it. */
export const readAnswer =
  (clock: Clock, request: TransportRequest): ReadResponse<TransportResponse> =>
  async (response, limit) => {
    const { mostBytes } = request;
    const read = mostBytes === undefined ? { text: await response.body.text() } : await boundedText(response, mostBytes);
    limit.release();
    const { text, ...length } = read;
    if (text === undefined) return { status: 413, body: undefined, ...length };
    const body = decode(text, response, actionOf(request));
    const retryAfterMs = parseRetryAfter(headerOf(response, 'retry-after'), clock.now());
    return { status: response.statusCode, body, ...length, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  };

async function* chunksOf(response: Dispatcher.ResponseData, limit: Deadline, action: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) yield chunk;
  } catch (error) {
    throw limit.explain(error, action);
  } finally {
    limit.release();
  }
}

/** Hands out the body as it comes, with no time limit any more; an error status is read to its end. */
export const readStream =
  (clock: Clock, request: TransportRequest): ReadResponse<TransportStream | TransportResponse> =>
  async (response, limit) => {
    if (response.statusCode >= 300) return readAnswer(clock, request)(response, limit);
    limit.stopTimer();
    return { status: response.statusCode, chunks: chunksOf(response, limit, actionOf(request)) };
  };
