import type { NodeClaim } from '../../apis/index.ts';
import type { Clock, Decision } from '../../ports/index.ts';

/** What is reported once a claim is known to exist. */
type ClaimReport = Omit<Extract<Decision, { readonly kind: 'node-claim-created' }>, 'claim'>;

/** A requested claim that is not known to be in the cache yet. */
export interface ExpectedClaim {
  readonly claim: NodeClaim;
  readonly report: ClaimReport;
  /** When it was first requested, and last; epoch ms. */
  readonly sinceMs: number;
  readonly askedMs: number;
  /**
   * Some request for it was not answered: it may have been made, or may be made yet, or not. No refusal of a later one
   * says which.
   */
  readonly mayBeMade: boolean;
  /** A request for it is on its way. */
  readonly isUnderway: boolean;
}

/** How the machines of the cluster take part. */
export interface ExpectedClaimsParts {
  readonly clock: Clock;
  /** Whether the cache shows a claim of this name. */
  readonly isThere: (name: string) => boolean;
  readonly add: (claim: NodeClaim) => void;
  readonly remove: (name: string) => void;
}

/**
 * Claims that this process has requested and that the cache does not show yet. From the moment before the request they
 * count as there: against limits, and as the place of their pods. A cache that stands still, or an answer that is lost,
 * then makes nobody ask twice.
 */
export class ExpectedClaims {
  readonly #parts: ExpectedClaimsParts;
  readonly #open = new Map<string, ExpectedClaim>();

  constructor(parts: ExpectedClaimsParts) {
    this.#parts = parts;
  }

  /** The claim is about to be requested, for the first time or again. */
  expect(claim: NodeClaim, report: ClaimReport): void {
    const { name } = claim.metadata;
    const askedMs = this.#parts.clock.now();
    const { sinceMs = askedMs, mayBeMade = false } = this.#open.get(name) ?? {};
    this.#open.set(name, { claim, report, sinceMs, askedMs, mayBeMade, isUnderway: true });
    if (!this.#parts.isThere(name)) this.#parts.add(claim);
  }

  isExpected(name: string): boolean {
    return this.#open.has(name);
  }

  /** Nobody knows what became of the request. */
  answerLost(name: string): void {
    const expected = this.#open.get(name);
    if (expected !== undefined) this.#open.set(name, { ...expected, mayBeMade: true, isUnderway: false });
  }

  /**
   * The last request was certainly not done. It is forgotten, unless an earlier one was not answered: then that one is
   * to be found out about.
   */
  refused(name: string): void {
    if (this.#open.get(name)?.mayBeMade === true) this.answerLost(name);
    else this.settle(name);
  }

  /** From here on what the cache shows is the truth: the claim stands there, or it was refused, or is gone again. */
  settle(name: string): void {
    if (this.#open.delete(name) && !this.#parts.isThere(name)) this.#parts.remove(name);
  }

  unanswered(): readonly ExpectedClaim[] {
    return [...this.#open.values()].filter(({ mayBeMade, isUnderway }) => mayBeMade && !isUnderway);
  }
}
