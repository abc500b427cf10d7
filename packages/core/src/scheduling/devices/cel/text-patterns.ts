import { RE2JS, RE2JSException } from 're2js';
import { CelError } from './cel-value.ts';

/** Of longer texts and patterns the search is not tried. */
const MOST_TEXT = 1024;
const MOST_PATTERN = 256;
/** A pattern with more states would take long to compile. */
const MOST_STATES = 4000;
/** So many states that the search may be in cost a step, at each character of a text. */
const STATES_A_STEP = 4;

/** Steps to compile a pattern, beside those for each character and each state. */
const STEPS_A_PATTERN = 200;
const STEPS_A_CHARACTER = 25;
const STEPS_A_STATE = 20;
/** The same for characters of patterns that may have Unicode's classes, and for those that ignore case besides. */
const STEPS_OF_UNICODE = 200;
const STEPS_OF_FOLDED_UNICODE = 4000;

const UNICODE = /[^\0-\x7F]|\\[\dPQpx]/;
const FOLDED = /\(\?[A-Za-z]*i/;
const REPETITION = /(\)?)\{(\d+)(?:,(\d*))?\}/g;

/** A selector that makes its patterns keeps so many. */
const MOST_KEPT = 16;

/** At least the characters of the pattern with its repetitions written out. Each `)` counts as the end of all before it. */
const writtenOut = (pattern: string): number => {
  let [states, end] = [0, 0];
  for (const { 0: whole, 1: group, 2: least = '', 3: last = '', index } of pattern.matchAll(REPETITION)) {
    const times = Math.max(Number(least), Number(last)) + 1;
    states += index - end;
    states = group === '' ? states + times : states * times;
    end = index + whole.length;
  }
  return states + pattern.length - end;
};

const stepsACharacter = (pattern: string): number => {
  if (!UNICODE.test(pattern)) return STEPS_A_CHARACTER;
  return FOLDED.test(pattern) ? STEPS_OF_FOLDED_UNICODE : STEPS_OF_UNICODE;
};

/** Patterns of RE2 that are searched for in texts. Each is compiled once. */
export class TextPatterns {
  readonly #compiled = new Map<string, RE2JS>();

  /**
   * What matches the pattern in the text, up to `most`. `pay` is called with the steps before they are taken. Throws a
   * `CelError` for a pattern that cannot be read or is too large. O(text × pattern) for each match.
   */
  matches(
    text: string,
    pattern: string,
    { most, pay }: { readonly most: number; readonly pay: (steps: number) => void },
  ): readonly string[] {
    if (text.length > MOST_TEXT) throw new CelError(`a text longer than ${MOST_TEXT} characters is matched with a pattern`);
    const compiled = this.#compiled.get(pattern) ?? this.#compile(pattern, pay);
    const matcher = compiled.matcher(text);
    const found: string[] = [];
    for (let end = -1; found.length < most; end = matcher.end()) {
      pay(Math.ceil((compiled.programSize() * (text.length - Math.max(end, 0) + 1)) / STATES_A_STEP));
      if (!matcher.find()) break;
      // No empty match stands right after another match.
      if (matcher.end() > matcher.start() || matcher.start() > end) found.push(matcher.group() ?? '');
    }
    return found;
  }

  #compile(pattern: string, pay: (steps: number) => void): RE2JS {
    if (pattern.length > MOST_PATTERN) throw new CelError(`the pattern is longer than ${MOST_PATTERN} characters`);
    const states = writtenOut(pattern);
    if (states > MOST_STATES) throw new CelError(`the pattern ${pattern} repeats too much`);
    pay(STEPS_A_PATTERN + pattern.length * stepsACharacter(pattern) + (states - pattern.length) * STEPS_A_STATE);
    try {
      const compiled = RE2JS.compile(pattern);
      if (this.#compiled.size >= MOST_KEPT) this.#compiled.clear();
      this.#compiled.set(pattern, compiled);
      return compiled;
    } catch (failure) {
      if (!(failure instanceof RE2JSException)) throw failure;
      throw new CelError(`the pattern ${pattern} cannot be read`);
    }
  }
}
