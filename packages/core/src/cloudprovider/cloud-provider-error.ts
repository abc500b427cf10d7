import type { NodeClaim } from '../apis/index.ts';

/** What went wrong at the cloud, in terms of what the caller does about it. */
export type CloudProviderErrorCode =
  /**
   * No such machine is available now: the claim is deleted, and its pods are planned again. The provider remembers what
   * was out of stock.
   */
  | 'insufficient-capacity'
  /**
   * The chosen offering is not available, and the provider chooses another one for the same claim: the claim stays, and
   * the launch is tried again at once, a limited number of times a minute. The provider remembers what was out of stock.
   */
  | 'offering-unavailable'
  /** The NodeClass cannot be used: the claim is deleted. */
  | 'node-class-not-ready'
  /**
   * The cloud refuses the machine for a reason that does not pass by itself, such as a value it does not take: the
   * claim is deleted at once, and its pods go to other pools first.
   */
  | 'launch-refused'
  /** The launch failed for a reason that may pass: the claim stays, and the launch is tried again with backoff. */
  | 'launch-failed'
  /** The cloud throttles calls: try again after `retryAfterMs`. */
  | 'throttled'
  /** Credentials or roles are missing; trying again changes nothing until a person acts. */
  | 'forbidden'
  | 'network'
  /** The NodeOverlays of the pool have not been evaluated yet: it launches nothing for now. */
  | 'node-pool-unevaluated';

/** Details of a failure besides its code. */
export interface CloudProviderErrorDetails {
  /** CamelCase, for the claim's condition: `SubscriptionQuotaReached`. */
  readonly reason?: string;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

const NAME = 'CloudProviderError';

/** A call to a cloud failed. Thrown by providers, always with the cause; callers act on `code`. */
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

const ANNOTATION = 'karpenter.sh/failed-launch';
const OUT_OF_STOCK: ReadonlySet<string> = new Set<CloudProviderErrorCode>(['insufficient-capacity', 'offering-unavailable']);
/** Code, reason, message. */
const WRITTEN = /^(\S+) (\S+) (.*)$/s;

/** A launch that the cloud accepted and failed later. */
export interface FailedLaunch {
  /** CamelCase: a condition's reason. */
  readonly cause: string;
  readonly message: string;
  /** The provider blocks what was out of stock, so that the next plan buys something else. */
  readonly isOutOfStock: boolean;
}

/** The annotation by which a claim carries the failure; `failedLaunchOf` reads it. */
export const failedLaunchAnnotation = ({
  code,
  reason = 'LaunchFailed',
  message,
}: CloudProviderError): Readonly<Record<string, string>> => ({
  [ANNOTATION]: `${code} ${reason} ${message}`,
});

/** How the launch of the claim failed after the cloud had accepted it; undefined while it has not. */
export const failedLaunchOf = ({ metadata }: Pick<NodeClaim, 'metadata'>): FailedLaunch | undefined => {
  const [, code, cause, message] = WRITTEN.exec(metadata.annotations?.[ANNOTATION] ?? '') ?? [];
  if (cause === undefined || message === undefined) return undefined;
  return { cause, message, isOutOfStock: OUT_OF_STOCK.has(code ?? '') };
};
