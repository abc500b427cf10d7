import { type Clock, type Rate, TokenLevel } from '@karpenter/runtime';

export type RequestClass = 'reads' | 'writes' | 'deletes';

/** AKS counts what comes to it beside Resource Manager, whatever it is. */
type Counted = RequestClass | 'aks';

/**
 * Azure's limits for one principal of one subscription: how many at once, and how many more each second; of AKS for
 * calls that it does not name. Source: learn.microsoft.com, "Understand how Azure Resource Manager throttles requests"
 * (subscription scope) and "Throttling limits on AKS resource provider APIs" (all other calls).
 */
const LIMITS: Readonly<Record<Counted, Rate>> = {
  reads: { burst: 250, perSecond: 25 },
  writes: { burst: 200, perSecond: 10 },
  deletes: { burst: 200, perSecond: 10 },
  aks: { burst: 60, perSecond: 1 },
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
  /** Whether requests are refused when a bucket is empty. */
  readonly isEnforced: boolean;
  readonly #levels: Readonly<Record<Counted, TokenLevel>>;

  constructor(clock: Clock, enforce: boolean) {
    this.isEnforced = enforce;
    const full = (kind: Counted): TokenLevel => new TokenLevel(clock, LIMITS[kind]);
    this.#levels = { reads: full('reads'), writes: full('writes'), deletes: full('deletes'), aks: full('aks') };
  }

  take(kind: Counted): RateVerdict {
    if (!this.isEnforced) return { remaining: LIMITS[kind].burst - 1, retryAfterSeconds: undefined };
    const level = this.#levels[kind];
    const waitMs = level.tryTakeMs();
    if (waitMs > 0) return { remaining: 0, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
    return { remaining: Math.floor(level.left), retryAfterSeconds: undefined };
  }
}
