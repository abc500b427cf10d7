import type { InnerRefusal } from './error-codes/inner-refusals.ts';

/** What a failed call to Azure is, by what can be done about it. */
export type ArmErrorCode =
  /** The resource is not there. */
  | 'not-found'
  /** Too many calls; `retryAfterMs` says when the next may come. */
  | 'throttled'
  /** No token, or a role is missing. */
  | 'forbidden'
  /** Azure understood and said no: quota, stock, a wrong body. `armCode` says which. */
  | 'refused'
  /** Azure is not well. */
  | 'server'
  /** Azure was not reached. */
  | 'network';

export interface ArmErrorDetails {
  readonly code: ArmErrorCode;
  /** As the body has it: `SkuNotAvailable`. Empty when there was none. */
  readonly armCode?: string | undefined;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly inner?: readonly InnerRefusal[] | undefined;
  readonly cause: unknown;
}

export class ArmError extends Error {
  override readonly name = 'ArmError';
  readonly code: ArmErrorCode;
  readonly armCode: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** What Azure gave as details, the innermost first. */
  readonly inner: readonly InnerRefusal[];

  constructor(message: string, details: ArmErrorDetails) {
    super(message, { cause: details.cause });
    this.code = details.code;
    this.armCode = details.armCode ?? '';
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.inner = details.inner ?? [];
  }
}
