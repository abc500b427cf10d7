import { isJsonObject } from '../../objects/kube-object.ts';
import { KubeError } from '../kube-error.ts';
import { patchContentTypes } from '../verbs/patch.ts';
import type { TransportRequest, TransportResponse, TransportStream } from './transport.ts';

const MOST_WAITS = 5;
const LONGEST_WAIT_MS = 60_000;

/** What to do with an answer: hand it out, or ask again after new credentials or a wait. */
type NextStep = { readonly kind: 'return' } | { readonly kind: 'refresh' } | { readonly kind: 'wait'; readonly ms: number };

/** Decides, for one request over its repeats, whether to ask again. */
export interface RepeatPolicy {
  afterAnswer(answer: TransportResponse | TransportStream): NextStep;
  /** True when the same request may go once more at once. */
  mayReconnectAfter(error: unknown): boolean;
}

/** A keep-alive socket that the server closed at the moment it was used again. */
const isBrokenSocket = (error: unknown): boolean => {
  const { code } = isJsonObject(error) ? error : {};
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE';
};

/** A second create meets its own first one; the steps of a JSON patch, such as an append, would be taken twice. */
const isSafeTwice = ({ method, contentType }: TransportRequest): boolean => method !== 'POST' && contentType !== patchContentTypes.json;

/** A 429 was refused before anything was done. A 503 may come from a proxy after the fact. */
const isRepeatable = (request: TransportRequest, status: number): boolean =>
  request.retry !== false && (status === 429 || (status === 503 && isSafeTwice(request)));

/** The policy of one request: 401 refreshes once, Retry-After is waited for at most 5 times, a read reconnects once. */
export const repeatPolicy = (request: TransportRequest): RepeatPolicy => {
  let isRefreshed = false;
  let isReconnected = request.method !== 'GET';
  let waits = 0;
  return {
    afterAnswer(answer) {
      if (answer.status === 401 && !isRefreshed) {
        isRefreshed = true;
        return { kind: 'refresh' };
      }
      const afterMs = 'retryAfterMs' in answer ? answer.retryAfterMs : undefined;
      if (afterMs === undefined || waits === MOST_WAITS || !isRepeatable(request, answer.status)) return { kind: 'return' };
      waits += 1;
      return { kind: 'wait', ms: Math.min(afterMs, LONGEST_WAIT_MS) };
    },
    mayReconnectAfter(error) {
      if (isReconnected || !(error instanceof KubeError) || !isBrokenSocket(error.cause)) return false;
      isReconnected = true;
      return true;
    },
  };
};
