import type { TransportResponse } from './transport/transport.ts';
import { KubeError, type KubeErrorCode, type StatusCause } from './kube-error.ts';
import { retryAfterOf } from './transport/retry-after.ts';
import { isJsonObject } from '../objects/kube-object.ts';

/**
 * True when a precondition on the uid failed: the object that was meant is gone, another one has its name. Source:
 * `BeforeDelete` of `k8s.io/apiserver/pkg/registry/rest/delete.go` says "in the precondition", `Preconditions.Check` of
 * `storage/interfaces.go`, which is checked later, "in precondition".
 */
export const isOtherObject = ({ status, body }: TransportResponse): boolean =>
  status === 409 && /UID in (the )?precondition/.test(JSON.stringify(body));

/**
 * True when admission refused the object: a webhook, or a policy of the API server. The write was not done. Statuses that
 * ask for another try later count as failures. Source: `ToStatusErr` of `k8s.io/apiserver/pkg/admission/plugin/webhook/errors`, and the
 * dispatchers of `plugin/policy`.
 */
export const isAdmissionDenial = (error: unknown): error is KubeError =>
  error instanceof KubeError &&
  (error.status ?? 0) < 500 &&
  error.status !== 429 &&
  /^admission webhook "[^"]*" denied the request\b|[Pp]olicy '[^']*'(?: with binding '[^']*')? denied request: /.test(error.message);

/** The parts of a Status body (`meta/v1`) that are read. Everything is optional: proxies answer in the API server's place. */
interface Status {
  readonly reason?: string;
  readonly message?: string;
  readonly code?: number;
  readonly details?: {
    readonly causes?: readonly { readonly field?: string; readonly message?: string; readonly reason?: string }[];
    readonly retryAfterSeconds?: number;
  };
}

const codeByReason: Readonly<Record<string, KubeErrorCode>> = {
  AlreadyExists: 'already-exists',
  BadRequest: 'invalid',
  Conflict: 'conflict',
  Expired: 'expired',
  Forbidden: 'forbidden',
  Gone: 'expired',
  InternalError: 'server',
  Invalid: 'invalid',
  MethodNotAllowed: 'invalid',
  NotAcceptable: 'invalid',
  NotFound: 'not-found',
  RequestEntityTooLarge: 'invalid',
  ResourceExpired: 'expired',
  ServerTimeout: 'unavailable',
  ServiceUnavailable: 'unavailable',
  StorageReadError: 'server',
  Timeout: 'unavailable',
  TooManyRequests: 'too-many-requests',
  Unauthorized: 'unauthorized',
  UnsupportedMediaType: 'invalid',
};

const codeByStatus: ReadonlyMap<number, KubeErrorCode> = new Map([
  [400, 'invalid'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [405, 'invalid'],
  [406, 'invalid'],
  [409, 'conflict'],
  [410, 'expired'],
  [413, 'invalid'],
  [415, 'invalid'],
  [422, 'invalid'],
  [429, 'too-many-requests'],
  [502, 'unavailable'],
  [503, 'unavailable'],
  [504, 'unavailable'],
]);

const statusOf = (body: unknown): Status => (isJsonObject(body) && body['kind'] === 'Status' ? body : {});

const causeOf = ({ field, message, reason }: { field?: string; message?: string; reason?: string }): StatusCause => ({
  message: message ?? '',
  ...(field === undefined ? {} : { field }),
  ...(reason === undefined ? {} : { reason }),
});

const codeOf = (reason: string | undefined, httpStatus: number): KubeErrorCode =>
  (reason !== undefined && Object.hasOwn(codeByReason, reason) ? codeByReason[reason] : undefined) ??
  codeByStatus.get(httpStatus) ??
  'server';

/** The KubeError that an answer with an error status means. A Status body's reason counts more than the HTTP status. */
export const classifyResponse = ({ status, body, retryAfterMs }: TransportResponse): KubeError => {
  const { reason, message, details } = statusOf(body);
  const text = message ?? (typeof body === 'string' && body !== '' ? body.slice(0, 500) : `the API server answered ${status}`);
  const afterMs = retryAfterMs ?? (details?.retryAfterSeconds === undefined ? undefined : retryAfterOf(details.retryAfterSeconds));
  return new KubeError(text, {
    code: codeOf(reason, status),
    status,
    causes: (details?.causes ?? []).map(causeOf),
    ...(afterMs === undefined ? {} : { retryAfterMs: afterMs }),
    cause: body,
  });
};

/** The KubeError of an ERROR event within a watch, whose object is a Status. */
export const classifyWatchError = (object: unknown): KubeError => classifyResponse({ status: statusOf(object).code ?? 500, body: object });

/**
 * The KubeError of a failure on the way: the connection, TLS, the body. A KubeError stays what it is.
 * `code` says what to make of an error that says nothing itself.
 */
export const classifyNetworkError = (error: unknown, action: string): KubeError => {
  if (error instanceof KubeError) return error;
  return new KubeError(`${action}: ${describe(error)}`, { code: networkCodeOf(error), cause: error });
};

const networkCodeOf = (error: unknown): KubeErrorCode => {
  const { name } = isJsonObject(error) ? error : {};
  if (name === 'AbortError') return 'aborted';
  return name === 'TimeoutError' ? 'timeout' : 'network';
};

/**
 * By shape, as `isFailure` does. Node puts several connection attempts into one error whose own message is empty.
 */
const describe = (error: unknown): string => {
  const { name, message, errors } = isJsonObject(error) ? error : {};
  if (typeof message !== 'string') return String(error);
  if (message !== '') return message;
  return Array.isArray(errors) ? errors.map(describe).join('; ') : String(name);
};
