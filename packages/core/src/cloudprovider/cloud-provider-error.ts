/** What went wrong at the cloud, by what the caller does about it. */
export type CloudProviderErrorCode =
  /** No such machine is to be had now: give the claim up and plan its pods again. The provider remembers what was out of stock. */
  | 'insufficient-capacity'
  /** The NodeClass cannot be used: give the claim up. */
  | 'node-class-not-ready'
  /** The launch failed for a reason that another try may cure: keep the claim, try again with backoff. */
  | 'launch-failed'
  /** The cloud asked for patience: try again after `retryAfterMs`. */
  | 'throttled'
  /** Credentials or roles are missing; trying again changes nothing until a person acts. */
  | 'forbidden'
  | 'network'
  /** What the pool may launch is not settled yet: leave the pool out for now. */
  | 'node-pool-unevaluated';

/** What a failure of a cloud says beside its code. */
export interface CloudProviderErrorDetails {
  /** CamelCase, for the claim's condition: `SubscriptionQuotaReached`. */
  readonly reason?: string;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

const NAME = 'CloudProviderError';

/** A cloud said no, or nothing. Thrown by providers, always with the cause; callers go by `code`. */
export class CloudProviderError extends Error {
  override readonly name = NAME;
  readonly code: CloudProviderErrorCode;
  readonly reason: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: CloudProviderErrorCode, message: string, details: CloudProviderErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.reason = details.reason;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** By name: a plugin that was loaded brings its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && 'name' in value && value.name === NAME;
  }
}
