import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../clock/clock.ts';
import type { Deadline } from './deadline.ts';
import { actionOf, type ReadResponse } from './exchange.ts';
import { KubeError } from '../kube-error.ts';
import { parseRetryAfter } from './retry-after.ts';
import type { TransportRequest, TransportResponse, TransportStream } from './transport.ts';

/** The body as text and its length in bytes. If it is longer than `mostBytes`, the rest is not read, and there is no text. */
export const boundedText = async (
  body: AsyncIterable<unknown>,
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

const statusOf = ({ statusCode = 0 }: IncomingMessage): number => statusCode;

const decode = (text: string, response: IncomingMessage, action: string): unknown => {
  if (text === '') return undefined;
  if (response.headers['content-type']?.includes('json') !== true) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new KubeError(`${action}: the answer is not JSON`, { code: 'malformed', status: statusOf(response), cause: error });
  }
};

/** Reads an answer to its end and decodes it. */
export const readAnswer =
  (clock: Clock, request: TransportRequest): ReadResponse<TransportResponse> =>
  async (response, limit) => {
    const { mostBytes } = request;
    const { text, bytes } = await boundedText(response, mostBytes ?? Infinity);
    limit.release();
    const length = mostBytes === undefined ? {} : { bytes };
    if (text === undefined) return { status: 413, body: undefined, ...length };
    const body = decode(text, response, actionOf(request));
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], clock.now());
    return { status: statusOf(response), body, ...length, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  };

async function* chunksOf(response: IncomingMessage, limit: Deadline, action: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) yield chunk;
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
    if (statusOf(response) >= 300) return readAnswer(clock, request)(response, limit);
    limit.stopTimer();
    return { status: statusOf(response), chunks: chunksOf(response, limit, actionOf(request)) };
  };
