import type { JsonObject } from '../json/json.ts';

/**
 * Reasons of a refusal, as in `Status.reason`, with the HTTP status that each is sent with. `Unknown` is sent without a
 * reason.
 */
const STATUS_CODES = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  Unknown: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
} as const;

/** Why a request was refused. */
export type ApiErrorCode = keyof typeof STATUS_CODES;

/** One cause of a refusal; `field` is a path such as `spec.containers[0].name`. */
export interface ApiStatusCause {
  readonly reason?: string;
  readonly message: string;
  readonly field?: string;
}

/** What a refusal is about. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly ApiStatusCause[];
  readonly retryAfterSeconds?: number;
}

/** A refusal by the API server. Over HTTP it is a `Status` body with the HTTP status of its code. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly details: StatusDetails | undefined;

  constructor(code: ApiErrorCode, message: string, details?: StatusDetails) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get httpStatus(): number {
    return STATUS_CODES[this.code];
  }

  /** The `Status` object that is sent as the body. */
  toStatus(): JsonObject {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.code === 'Unknown' ? {} : { reason: this.code }),
      ...(this.details === undefined ? {} : { details: { ...this.details } as unknown as JsonObject }),
      code: this.httpStatus,
    };
  }
}
