/**
 * Why the API server, or the way to it, said no.
 * `not-found` is thrown only where absence is no outcome of the verb: the kind is not served, or the namespace does not exist.
 */
export type KubeErrorCode =
  | 'conflict'
  | 'already-exists'
  | 'invalid'
  | 'forbidden'
  | 'unauthorized'
  | 'not-found'
  | 'too-many-requests'
  | 'expired'
  | 'unavailable'
  | 'server'
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'malformed';

/** One field that the API server objected to. */
export interface StatusCause {
  /** `spec.template.spec.requirements[0].key`; absent when the cause concerns the whole object. */
  readonly field?: string;
  readonly message: string;
  /** `FieldValueInvalid`, `DisruptionBudget` and the like. */
  readonly reason?: string;
}

/** What is known about a failure beside its message. */
export interface KubeErrorDetails {
  readonly code: KubeErrorCode;
  /** HTTP status, where there was an answer. */
  readonly status?: number;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterMs?: number;
  /** The Status body, the network error, or what else was at the bottom of it. */
  readonly cause: unknown;
}

const NAME = 'KubeError';

/** A call to Kubernetes failed. */
export class KubeError extends Error {
  readonly code: KubeErrorCode;
  readonly status: number | undefined;
  readonly causes: readonly StatusCause[];
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { code, status, causes, retryAfterMs, cause }: KubeErrorDetails) {
    super(message, { cause });
    this.name = NAME;
    this.code = code;
    this.status = status;
    this.causes = causes ?? [];
    this.retryAfterMs = retryAfterMs;
  }

  /** By name: a plugin that was loaded brings its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && 'name' in value && value.name === NAME;
  }
}
