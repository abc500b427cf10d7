import { PatternError, parsePattern } from './pattern-syntax.ts';
import type { PatternState } from './pattern-syntax.ts';

/** What matches a pattern: the characters from a place to before another. */
interface PatternMatch {
  readonly from: number;
  readonly to: number;
}

/** A state that the search is in, and where the match began that led to it. */
interface Thread {
  readonly state: Exclude<PatternState, { readonly kind: 'choice' | 'assertion' }>;
  readonly from: number;
}

/** The states that are reached at one place of a text, each once: those that are preferred first. */
class Frontier {
  readonly threads: Thread[] = [];
  readonly #reached = new Set<PatternState>();
  readonly #before: string | undefined;
  readonly #after: string | undefined;

  constructor(characters: readonly string[], at: number) {
    this.#before = characters[at - 1];
    this.#after = characters[at];
  }

  /** How many states were reached. */
  get size(): number {
    return this.#reached.size;
  }

  reach(state: PatternState, from: number): void {
    if (this.#reached.has(state)) return;
    this.#reached.add(state);
    if (state.kind === 'choice') for (const way of state.ways) this.reach(way, from);
    else if (state.kind !== 'assertion') this.threads.push({ state, from });
    else if (state.holds(this.#before, this.#after)) this.reach(state.next, from);
  }
}

/** States that cost as much as one step of an evaluation. */
const STATES_A_STEP = 4;

/** A text that is searched for a pattern in time linear in both. `pay` is called with the steps that it takes. */
class PatternSearch {
  readonly #start: PatternState;
  readonly #characters: readonly string[];
  readonly #pay: (steps: number) => void;

  constructor(pattern: string, characters: readonly string[], pay: (steps: number) => void) {
    this.#start = parsePattern(pattern);
    this.#characters = characters;
    this.#pay = pay;
  }

  /** The first match from a place on, and of those the one that the pattern prefers. */
  first(from: number): PatternMatch | undefined {
    const characters = this.#characters;
    let found: PatternMatch | undefined;
    let frontier = new Frontier(characters, from);
    for (let at = from; at <= characters.length; at++) {
      if (found === undefined) frontier.reach(this.#start, at);
      if (frontier.size === 0) break;
      this.#pay(Math.ceil(frontier.size / STATES_A_STEP));
      const next = new Frontier(characters, at + 1);
      for (const { state, from: begin } of frontier.threads) {
        if (state.kind === 'match') {
          found = { from: begin, to: at };
          break;
        }
        const character = characters[at];
        if (character !== undefined && state.is(character)) next.reach(state.next, begin);
      }
      frontier = next;
    }
    return found;
  }
}

/**
 * What matches the pattern in the text, up to `most`, as RE2 finds it. Throws a `PatternError` for a pattern that it
 * does not know.
 */
export const patternMatches = (
  text: string,
  pattern: string,
  { most, pay }: { readonly most: number; readonly pay: (steps: number) => void },
): readonly string[] => {
  const characters = Array.from(text);
  const search = new PatternSearch(pattern, characters, pay);
  const found: string[] = [];
  let end = -1;
  for (let at = 0; found.length < most && at <= characters.length;) {
    const match = search.first(at);
    if (match === undefined) break;
    const isEmpty = match.from === match.to;
    // No empty match stands right after another match.
    if (!isEmpty || match.from !== end) found.push(characters.slice(match.from, match.to).join(''));
    end = match.to;
    at = match.to > at ? match.to : at + 1;
  }
  return found;
};

export { PatternError };
