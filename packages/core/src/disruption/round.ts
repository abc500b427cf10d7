import type { Candidate } from './candidate.ts';

/** Into the order in which they are looked at. */
type Arrange<C> = (candidates: readonly C[]) => readonly C[];

/**
 * A round of looks that may take several passes: first come the candidates that it has not come to, then the others, which begin the next
 * round. `before` are the names of those that it has come to in earlier passes.
 */
export class Round<C extends Candidate> {
  readonly order: readonly C[];
  readonly #again: ReadonlySet<C>;
  #lookedAt: Set<string>;
  #asked = 0;

  constructor(candidates: readonly C[], before: ReadonlySet<string>, arrange: Arrange<C>) {
    const again = arrange(candidates.filter(({ node }) => before.has(node.name)));
    this.order = [...arrange(candidates.filter(({ node }) => !before.has(node.name))), ...again];
    this.#again = new Set(again);
    this.#lookedAt = new Set(before);
  }

  /** The candidate is looked at now. */
  lookAt(candidate: C): void {
    if (this.#again.has(candidate) && this.#lookedAt.has(candidate.node.name)) this.#lookedAt = new Set();
    this.#lookedAt.add(candidate.node.name);
    this.#asked += 1;
  }

  /** How many this pass has looked at. */
  get asked(): number {
    return this.#asked;
  }

  /** Names of those that the round has come to. */
  get lookedAt(): ReadonlySet<string> {
    return this.#lookedAt;
  }
}
