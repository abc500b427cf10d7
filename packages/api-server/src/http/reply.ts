import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { JsonValue } from '../json/json.ts';
import type { ApiError } from '../status/api-error.ts';

/** What a handler answers, with its status: JSON, bytes, or JSON text in parts. */
export interface Reply {
  readonly status: number;
  readonly body?: JsonValue;
  readonly bytes?: Buffer;
  readonly parts?: Iterable<string>;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A plain JSON answer. */
export const reply = (status: number, body: JsonValue): Reply => ({ status, body });

/** The answer of a refusal. */
export const refusalReply = (error: ApiError): Reply => {
  const seconds = error.details?.retryAfterSeconds;
  return {
    status: error.httpStatus,
    body: error.toStatus(),
    ...(seconds === undefined ? {} : { headers: { 'Retry-After': String(seconds) } }),
  };
};

/** Sends an answer, with a Warning header for each text. */
export const send = (response: ServerResponse, answer: Reply, warnings: readonly string[]): void => {
  const { status, contentType = 'application/json', headers = {} } = answer;
  response.statusCode = status;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', 'no-cache, private');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const lines = warnings.map((text) => `299 - ${JSON.stringify(text)}`);
  if (lines.length > 0) response.setHeader('Warning', lines);
  sendBody(response, answer);
};

const sendBody = (response: ServerResponse, { body = null, bytes, parts }: Reply): void => {
  if (parts === undefined) {
    response.end(bytes ?? JSON.stringify(body));
    return;
  }
  Readable.from(parts).pipe(response);
};
