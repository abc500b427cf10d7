/** A pattern with more states would take long on a long text. */
const MOST_STATES = 4000;
/** Source: RE2, `kMaxRepeat`. */
const MOST_REPETITIONS = 1000;

/** A state of the automaton that a pattern stands for. A choice prefers its first ways. */
export type PatternState =
  | { readonly kind: 'match' }
  | { readonly kind: 'character'; readonly is: (character: string) => boolean; readonly next: PatternState }
  | { readonly kind: 'assertion'; readonly holds: PatternAssertion; readonly next: PatternState }
  | { readonly kind: 'choice'; readonly ways: PatternState[] };

/** Whether something holds between two characters. Undefined: the start or the end of the text. */
export type PatternAssertion = (before: string | undefined, after: string | undefined) => boolean;

/** A pattern that cannot be read, or has too many states. */
export class PatternError extends Error {}

/** Makes the states of a part of a pattern, which lead to those of the rest. */
type Part = (next: PatternState, count: StateCount) => PatternState;

class StateCount {
  #states = 0;

  /** Returns the state. */
  add<T extends PatternState>(state: T): T {
    if (++this.#states > MOST_STATES) throw new PatternError();
    return state;
  }
}

interface Repetition {
  readonly least: number;
  readonly most: number;
  readonly isGreedy: boolean;
}

const inSequence =
  (parts: readonly Part[]): Part =>
  (next, count) =>
    parts.reduceRight((rest, part) => part(rest, count), next);

const oneOf =
  (parts: readonly Part[]): Part =>
  (next, count) =>
    count.add({ kind: 'choice', ways: parts.map((part) => part(next, count)) });

const repeated =
  (part: Part, { least, most, isGreedy }: Repetition): Part =>
  (next, count) => {
    const inOrder = (...[more, enough]: [PatternState, PatternState]): PatternState[] => (isGreedy ? [more, enough] : [enough, more]);
    let from = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop = count.add({ kind: 'choice', ways: new Array<PatternState>() });
      loop.ways.push(...inOrder(part(loop, count), next));
      from = loop;
    } else for (let times = least; times < most; times++) from = count.add({ kind: 'choice', ways: inOrder(part(from, count), next) });
    // Each copy counts, also of a part without states.
    for (let times = 0; times < least; times++) from = count.add({ kind: 'choice', ways: [part(from, count)] });
    return from;
  };

const asserted =
  (holds: PatternAssertion): Part =>
  (next, count) =>
    count.add({ kind: 'assertion', holds, next });

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character);

const atStart: PatternAssertion = (before) => before === undefined;
const atEnd: PatternAssertion = (_, after) => after === undefined;
const atStartOfLine: PatternAssertion = (before) => before === undefined || before === '\n';
const atEndOfLine: PatternAssertion = (_, after) => after === undefined || after === '\n';
const atWordBoundary: PatternAssertion = (before, after) => isWord(before) !== isWord(after);

/** What stands after a backslash → what it asserts. */
const assertions: ReadonlyMap<string, PatternAssertion> = new Map([
  ['A', atStart],
  ['z', atEnd],
  ['b', atWordBoundary],
  ['B', (before, after) => !atWordBoundary(before, after)],
]);

/** JavaScript's way to write a character, everywhere in a pattern with the flag `v`. */
const written = (character: string): string => `\\u{${(character.codePointAt(0) ?? 32).toString(16)}}`;

const LITERAL = /^\\u\{([0-9A-Fa-f]+)\}$/;

const SPACES = String.raw`\t\n\f\r `;

/** What stands after a backslash → JavaScript's way to write the same, inside and outside of a class. */
const escapes: ReadonlyMap<string, string> = new Map([
  ...['d', 'D', 'w', 'W', 'n', 't', 'r', 'f', 'v'].map((name) => [name, `\\${name}`] as const),
  ...([
    ['s', `[${SPACES}]`],
    ['S', `[^${SPACES}]`],
    ['a', written('\x07')],
  ] as const),
]);

/** Source: RE2, the ASCII classes. */
const namedClasses: ReadonlyMap<string, string> = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', String.raw`\x00-\x7F`],
  ['blank', String.raw`\t `],
  ['cntrl', String.raw`\x00-\x1F\x7F`],
  ['digit', '0-9'],
  ['graph', '!-~'],
  ['lower', 'a-z'],
  ['print', ' -~'],
  ['punct', String.raw`!-\x2F:-@\x5B-\x60\x7B-~`],
  ['space', String.raw`\t\n\v\f\r `],
  ['upper', 'A-Z'],
  ['word', '0-9A-Za-z_'],
  ['xdigit', '0-9A-Fa-f'],
]);

const QUOTED = /\\Q([^]*?)(?:\\E|$)|\\[^]/gu;
const FLAGS = /\(\?([imsU]*)(-[imsU]+)?([:)])/y;
const GROUP = /\((?:\?:|\?P?<\w+>)?(?!\?)/y;
const REPETITION = /(?:[*+?]|\{\d{1,9}(?:,\d{0,9})?\})\??/y;
const BOUNDS = /^\{(\d+)(?:,(\d*))?\}/;
const CODE = /\\x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/y;
const PROPERTY = /\\([pP])(?:([A-Z])|\{(\^?)(\w+)\})/y;
const NAMED_CLASS = /\[:(\^?)([a-z]+):\]/y;
const ESCAPE = /\\([^])/uy;
const CHARACTER = /[^]/uy;
const PUNCTUATION = /^[!-/:-@[-`{-~]$/;

type Bounds = Omit<Repetition, 'isGreedy'>;

const signs: ReadonlyMap<string, Bounds> = new Map([
  ['*', { least: 0, most: Number.POSITIVE_INFINITY }],
  ['+', { least: 1, most: Number.POSITIVE_INFINITY }],
  ['?', { least: 0, most: 1 }],
]);

/** How often a part is repeated with `{2}`, `{2,}` or `{2,3}` after it. */
const boundsOf = (text: string): Bounds => {
  const [, least = '', last = least] = BOUNDS.exec(text) ?? [];
  const bounds = { least: Number(least), most: last === '' ? Number.POSITIVE_INFINITY : Number(last) };
  if (bounds.least > MOST_REPETITIONS || Number(last) > MOST_REPETITIONS || bounds.most < bounds.least) throw new PatternError();
  return bounds;
};

/** Reads a pattern as RE2 has it, part by part. */
class PatternReader {
  readonly #text: string;
  #at = 0;
  #flags: ReadonlySet<string> = new Set();

  constructor(pattern: string) {
    this.#text = pattern.replace(QUOTED, (whole, quoted?: string) =>
      quoted === undefined ? whole : Array.from(quoted, (each) => `\\x{${written(each).slice(3, -1)}}`).join(''),
    );
  }

  whole(): Part {
    const part = this.#choice();
    if (this.#at < this.#text.length) throw new PatternError();
    return part;
  }

  #choice(): Part {
    const flags = this.#flags;
    const parts = [this.#sequence()];
    while (this.#takes('|')) parts.push(this.#sequence());
    this.#flags = flags;
    return oneOf(parts);
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#text.length && !this.#isAt('|') && !this.#isAt(')')) parts.push(this.#repetition());
    return inSequence(parts);
  }

  #repetition(): Part {
    const part = this.#atom();
    const times = this.#read(REPETITION)?.[0];
    if (times === undefined) return part;
    // RE2 has no repetition of a repetition without a group.
    if (this.#read(REPETITION) !== undefined) throw new PatternError();
    return repeated(part, this.#repetitionOf(times));
  }

  #repetitionOf(text: string): Repetition {
    const isMarked = text.length > 1 && text.endsWith('?');
    return { isGreedy: isMarked === this.#flags.has('U'), ...(signs.get(text.charAt(0)) ?? boundsOf(text)) };
  }

  #atom(): Part {
    if (this.#isAt('(')) return this.#group();
    const assertion = this.#assertion();
    if (assertion !== undefined) return asserted(assertion);
    if (this.#read(REPETITION) !== undefined) throw new PatternError();
    return this.#single(this.#characters());
  }

  #assertion(): PatternAssertion | undefined {
    const isByLine = this.#flags.has('m');
    if (this.#takes('^')) return isByLine ? atStartOfLine : atStart;
    if (this.#takes('$')) return isByLine ? atEndOfLine : atEnd;
    const known = this.#isAt('\\') ? assertions.get(this.#text.charAt(this.#at + 1)) : undefined;
    if (known !== undefined) this.#at += 2;
    return known;
  }

  #characters(): string {
    if (this.#takes('.')) return this.#flags.has('s') ? '[^]' : String.raw`[^\n]`;
    return this.#takes('[') ? this.#class() : this.#character();
  }

  #group(): Part {
    const flags = this.#flags;
    const [, on, off = '', end] = this.#read(FLAGS) ?? [];
    if (on === undefined) {
      if (this.#read(GROUP) === undefined) throw new PatternError();
    } else this.#flags = new Set([...flags, ...Array.from(on)].filter((flag) => !off.includes(flag)));
    if (end === ')') {
      if (this.#read(REPETITION) !== undefined) throw new PatternError();
      return inSequence([]);
    }
    const part = this.#choice();
    if (!this.#takes(')')) throw new PatternError();
    this.#flags = flags;
    return part;
  }

  /** What stands in brackets, as JavaScript has it. */
  #class(): string {
    let source = this.#takes('^') ? '[^' : '[';
    for (let isFirst = true; isFirst || !this.#takes(']'); isFirst = false) {
      const named = this.#read(NAMED_CLASS);
      source += named === undefined ? this.#range() : this.#namedClass(named);
    }
    return `${source}]`;
  }

  #namedClass([, not = '', name = '']: readonly string[]): string {
    const known = namedClasses.get(name);
    if (known === undefined) throw new PatternError();
    return `[${not}${known}]`;
  }

  #range(): string {
    const from = this.#character();
    const isRange = this.#isAt('-') && this.#text[this.#at + 1] !== ']';
    if (!isRange) return from;
    this.#at++;
    return `${from}-${this.#character()}`;
  }

  /** One character, or an escape that stands for some, as JavaScript has it. */
  #character(): string {
    const code = this.#read(CODE);
    if (code !== undefined) return `\\u{${code[1] ?? code[2] ?? ''}}`;
    const property = this.#read(PROPERTY);
    if (property !== undefined) return this.#property(property);
    const [, escaped] = this.#read(ESCAPE) ?? [];
    if (escaped !== undefined) return this.#escaped(escaped);
    const [character = '\\'] = this.#read(CHARACTER) ?? [];
    if (character === '\\') throw new PatternError();
    return written(character);
  }

  #escaped(character: string): string {
    const known = escapes.get(character);
    if (known !== undefined) return known;
    if (!PUNCTUATION.test(character)) throw new PatternError();
    return written(character);
  }

  #property([, sign, letter, not = '', name = letter]: readonly (string | undefined)[]): string {
    const isNegated = (sign === 'P') !== (not === '^');
    const property = (name ?? '').length > 2 ? `Script=${name ?? ''}` : (name ?? '');
    return `\\${isNegated ? 'P' : 'p'}{${property}}`;
  }

  /** One character of those that JavaScript's source stands for. */
  #single(source: string): Part {
    const is = this.#matcher(source);
    return (next, count) => count.add({ kind: 'character', is, next });
  }

  #matcher(source: string): (character: string) => boolean {
    const ignoresCase = this.#flags.has('i');
    const [, literal] = LITERAL.exec(source) ?? [];
    try {
      if (literal !== undefined && !ignoresCase) {
        const only = String.fromCodePoint(Number.parseInt(literal, 16));
        return (character) => character === only;
      }
      // A regular expression for one character takes the same time for each.
      const expression = new RegExp(`^${source}$`, ignoresCase ? 'iv' : 'v');
      return (character) => expression.test(character);
    } catch {
      throw new PatternError();
    }
  }

  #isAt(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #takes(text: string): boolean {
    const isHere = this.#isAt(text);
    if (isHere) this.#at += text.length;
    return isHere;
  }

  /** What the sticky expression finds here. */
  #read(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text) ?? undefined;
    if (found !== undefined) this.#at = expression.lastIndex;
    return found;
  }
}

/** The first state of the pattern's automaton. Throws a `PatternError` for one that cannot be read or is too large. */
export const parsePattern = (pattern: string): PatternState => new PatternReader(pattern).whole()({ kind: 'match' }, new StateCount());
