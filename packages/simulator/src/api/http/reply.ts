import type { ServerResponse } from 'node:http';
import type { JsonValue } from '../json/json.ts';
import type { ApiError } from '../status/api-error.ts';

/** What a handler answers: a body (JSON, or the items of one streamed), with its status. */
export interface Reply {
  readonly status: number;
  readonly body: JsonValue | Buffer | { readonly stream: Iterable<string> };
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A plain JSON answer. */
export const reply = (status: number, body: JsonValue): Reply => ({ status, body });

/** The answer of a refusal. */
export const refusal = (error: ApiError): Reply => {
  const seconds = error.details?.retryAfterSeconds;
  return {
    status: error.httpStatus,
    body: error.toStatus(),
    ...(seconds === undefined ? {} : { headers: { 'Retry-After': String(seconds) } }),
  };
};

/** Sends an answer, with a Warning header for each text. */
export const send = (
  response: ServerResponse,
  { status, body, contentType = 'application/json', headers = {} }: Reply,
  warnings: readonly string[],
): void => {
  response.statusCode = status;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', 'no-cache, private');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (warnings.length > 0)
    response.setHeader(
      'Warning',
      warnings.map((text) => `299 - ${JSON.stringify(text)}`),
    );
  if (typeof body === 'object' && body !== null && 'stream' in body && !Buffer.isBuffer(body)) {
    for (const part of body.stream as Iterable<string>) response.write(part);
    response.end();
    return;
  }
  response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
};
