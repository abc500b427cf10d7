/** One call to the API server. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute path, `/api/v1/nodes`. */
  readonly path: string;
  /** Entries that are `undefined` are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** What this is in metrics and messages, `list Pod`: a word with few values. */
  readonly operation?: string;
  /** `application/json` when left out. */
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
  /** 60 s when left out. For a stream: the time until the headers have come. */
  readonly timeoutMs?: number;
  /** An answer whose body is longer comes as status 413 without a body, and is read no further. */
  readonly mostBytes?: number;
  /** True: it does not wait for the rate of the transport. For what keeps a process alive, a few a second. */
  readonly isUrgent?: boolean;
  /** False: a 429 or 503 is handed to the caller at once, because it means something to them. */
  readonly retry?: boolean;
}

/** What the server answered, whatever its status. */
export interface TransportResponse {
  readonly status: number;
  /** Decoded JSON; `undefined` for an empty body, text for a body that is not JSON. */
  readonly body: unknown;
  /** Length of the body, where `mostBytes` was given. */
  readonly bytes?: number;
  /** What Retry-After asked for. */
  readonly retryAfterMs?: number;
}

/** A response that keeps coming: the lines of a watch. */
export interface TransportStream {
  readonly status: number;
  /** Chunks as they arrive, split anywhere. Ends when the server ends; throws a KubeError when the connection breaks. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * JSON over HTTP to one API server: one connection pool, a request rate, credentials.
 *
 * Guarantees: 429 and 503 answers with Retry-After are repeated a bounded number of times where that is safe; a 401
 * refreshes the credentials and repeats the call once. Errors: KubeError `network`, `timeout`, `aborted`, `malformed`.
 * Answers with an error status are answers, not errors.
 */
export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Opens a stream. An error status comes as a TransportResponse, read to its end. */
  stream(request: TransportRequest): Promise<TransportStream | TransportResponse>;
  /** Ends every connection; calls under way fail. */
  close(): Promise<void>;
}

/** The same transport, all of whose requests are urgent. */
export const urgently = (transport: Transport): Transport => ({
  send: (request) => transport.send({ ...request, isUrgent: true }),
  stream: (request) => transport.stream({ ...request, isUrgent: true }),
  close: () => transport.close(),
});
