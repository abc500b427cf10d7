import type { Clock } from '@karpenter/runtime';

export type RequestClass = 'reads' | 'writes' | 'deletes';

/** AKS counts what comes to it beside Resource Manager, whatever it is. */
type Counted = RequestClass | 'aks';

interface Bucket {
  readonly capacity: number;
  readonly perSecond: number;
  tokens: number;
  filledAtMs: number;
}

/**
 * Azure's limits for one principal of one subscription: how many at once, and how many more each second; of AKS for
 * calls that it does not name. Source: learn.microsoft.com, "Understand how Azure Resource Manager throttles requests"
 * (subscription scope) and "Throttling limits on AKS resource provider APIs" (all other calls).
 */
const LIMITS: Readonly<Record<Counted, { readonly capacity: number; readonly perSecond: number }>> = {
  reads: { capacity: 250, perSecond: 25 },
  writes: { capacity: 200, perSecond: 10 },
  deletes: { capacity: 200, perSecond: 10 },
  aks: { capacity: 60, perSecond: 1 },
};

export interface RateVerdict {
  /** What is left, for the `x-ms-ratelimit-remaining-subscription-…` header. */
  readonly remaining: number;
  /** Undefined when the request may pass. */
  readonly retryAfterSeconds: number | undefined;
}

export const requestClassOf = (method: string): RequestClass => {
  if (method === 'GET' || method === 'POST') return 'reads';
  return method === 'DELETE' ? 'deletes' : 'writes';
};

/**
 * ARM's token buckets. When it does not enforce, they are always full: clients that pace themselves by what is left
 * need not wait.
 */
export class RateLimiter {
  readonly #clock: Clock;
  /** Whether requests are refused when a bucket is empty. */
  readonly isEnforced: boolean;
  readonly #buckets: Record<Counted, Bucket>;

  constructor(clock: Clock, enforce: boolean) {
    this.#clock = clock;
    this.isEnforced = enforce;
    const full = (kind: Counted): Bucket => ({ ...LIMITS[kind], tokens: LIMITS[kind].capacity, filledAtMs: clock.now() });
    this.#buckets = { reads: full('reads'), writes: full('writes'), deletes: full('deletes'), aks: full('aks') };
  }

  take(kind: Counted): RateVerdict {
    const bucket = this.#buckets[kind];
    if (!this.isEnforced) return { remaining: bucket.capacity - 1, retryAfterSeconds: undefined };
    const nowMs = this.#clock.now();
    bucket.tokens = Math.min(bucket.capacity, bucket.tokens + ((nowMs - bucket.filledAtMs) / 1_000) * bucket.perSecond);
    bucket.filledAtMs = nowMs;
    if (bucket.tokens < 1) {
      return { remaining: 0, retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / bucket.perSecond)) };
    }
    bucket.tokens -= 1;
    return { remaining: Math.floor(bucket.tokens), retryAfterSeconds: undefined };
  }
}
