import type { Candidate } from '../candidates/candidate.ts';

/** Sorts candidates into the order in which they are looked at. */
type Arrange<C> = (candidates: readonly C[]) => readonly C[];

/**
 * A round through all candidates, which may take several passes: first those that it has not reached yet, then the
 * others, which begin the next round. `before`: names of those reached in earlier passes.
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

  /** Call it when the candidate is looked at. */
  lookAt(candidate: C): void {
    if (this.#again.has(candidate) && this.#lookedAt.has(candidate.node.name)) this.#lookedAt = new Set();
    this.#lookedAt.add(candidate.node.name);
    this.#asked += 1;
  }

  /** How many this pass has looked at. */
  get asked(): number {
    return this.#asked;
  }

  /** Names of those that the round has reached. */
  get lookedAt(): ReadonlySet<string> {
    return this.#lookedAt;
  }
}
