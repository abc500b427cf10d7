import { CelError, isCelList, sortOf } from './cel-value.ts';
import type { CelValue } from './cel-value.ts';

/** A function of the language: the target comes first where there is one. */
export type CelFunction = (args: readonly CelValue[]) => CelValue;

const MOST_MATCHED = 1024;
/** A pattern longer than this, or with more repetitions without end, could take very long on a text that does not match. */
const MOST_LENGTH = 256;
const MOST_REPETITIONS = 3;

/** The argument at the place. Throws a `CelError` where there is none. */
export const celArgumentAt = (args: readonly CelValue[], index: number): CelValue => {
  const value = args[index];
  if (value === undefined) throw new CelError('no such overload: an argument is missing');
  return value;
};

/** The text at the place. Throws a `CelError` for anything else. */
export const celTextAt = (args: readonly CelValue[], index: number): string => {
  const value = celArgumentAt(args, index);
  if (typeof value !== 'string') throw new CelError(`no such overload: a string was expected instead of ${sortOf(value)}`);
  return value;
};

/** The number at the place, or the fallback where the call has fewer arguments. */
const numberAt = (args: readonly CelValue[], index: number, fallback?: number): number => {
  if (args.length <= index && fallback !== undefined) return fallback;
  const value = celArgumentAt(args, index);
  if (typeof value !== 'bigint') throw new CelError(`no such overload: an int was expected instead of ${sortOf(value)}`);
  return Number(value);
};

/** Character classes and escapes stand for one character each. */
const ATOMS = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]/g;
const GROUP = /\((?:\?:|\?P?<\w+>)?([^()]*)\)([*+{])?/;
const REPETITION = /[*+]|\{\d*,\d*\}|\{\d{2,}\}/g;

/** Whether a group with a repetition or a choice in it is repeated: then the time may double with each character. */
const repeatsGroups = (pattern: string): boolean => {
  let left = pattern.replace(ATOMS, 'x');
  for (let group = GROUP.exec(left); group !== null; group = GROUP.exec(left)) {
    const [whole, inner = '', times] = group;
    const isRepeated = times !== undefined;
    if (isRepeated && (/[|?]/.test(inner) || new RegExp(REPETITION).test(inner))) return true;
    left = left.replace(whole, () => `${inner}${times ?? ''}`);
  }
  return false;
};

const mayTakeLong = (pattern: string): boolean => {
  const repetitions = pattern.replace(ATOMS, 'x').match(REPETITION) ?? [];
  return repetitions.length > MOST_REPETITIONS || repeatsGroups(pattern);
};

const FLAGS = /^\(\?([is]+)\)/;

/** RE2's way to write something → JavaScript's. RE2's dot matches everything but a line feed. */
const asJavaScript = (pattern: string, flags: string): string =>
  pattern.replaceAll('(?P<', '(?<').replace(new RegExp(`${ATOMS.source}|\\.`, 'g'), (atom) => {
    if (atom === '.') return flags.includes('s') ? '.' : '[^\\n]';
    if (atom === '\\A') return '^';
    return atom === '\\z' ? '$' : atom;
  });

/** The pattern as JavaScript has it. Throws a `CelError` for one that it does not know, or that may take too long. */
const regexOf = (pattern: string): RegExp => {
  if (pattern.length > MOST_LENGTH) throw new CelError(`the pattern is longer than ${MOST_LENGTH} characters`);
  if (mayTakeLong(pattern)) throw new CelError(`the pattern ${pattern} may take too long`);
  const [written = '', flags = ''] = FLAGS.exec(pattern) ?? [];
  try {
    return new RegExp(asJavaScript(pattern.slice(written.length), flags), `gu${flags}`);
  } catch {
    throw new CelError(`the pattern ${pattern} cannot be read`);
  }
};

/** All places where the pattern matches, up to `most`. */
const matchesOf = (args: readonly CelValue[], most: number): readonly string[] => {
  const text = celTextAt(args, 0);
  if (text.length > MOST_MATCHED) throw new CelError(`a text longer than ${MOST_MATCHED} characters is matched with a pattern`);
  const found: string[] = [];
  let end = -1;
  const all = text.matchAll(regexOf(celTextAt(args, 1)));
  for (let next = all.next(); found.length < most && next.done !== true; next = all.next()) {
    const [match] = next.value;
    // RE2 has no empty match right after another match.
    if (match !== '' || next.value.index !== end) found.push(match);
    end = next.value.index + match.length;
  }
  return found;
};

/** A negative limit is none. */
const limitAt = (args: readonly CelValue[], index: number): number => {
  const limit = numberAt(args, index, -1);
  return limit < 0 ? Number.POSITIVE_INFINITY : limit;
};

/** A number from 0 to `most`. Throws a `CelError` for any other. */
const within = (at: number, most: number): number => {
  if (at < 0 || at > most) throw new CelError(`index out of range: ${at}`);
  return at;
};

const substring: CelFunction = (args) => {
  const characters = Array.from(celTextAt(args, 0));
  const from = within(numberAt(args, 1), characters.length);
  const to = within(numberAt(args, 2, characters.length), characters.length);
  if (to < from) throw new CelError(`invalid substring range. start: ${from}, end: ${to}`);
  return characters.slice(from, to).join('');
};

/** Whether the part is in the whole at the place. */
const isAt = <T>(whole: readonly T[], part: readonly T[], at: number): boolean => part.every((each, index) => whole[at + index] === each);

const places = (count: number): readonly number[] => Array.from({ length: Math.max(0, count) }, (_, index) => index);

const indexOfText: CelFunction = (args) => {
  const [whole, part] = [Array.from(celTextAt(args, 0)), Array.from(celTextAt(args, 1))];
  const from = within(numberAt(args, 2, 0), Number.MAX_SAFE_INTEGER);
  if (part.length === 0) return BigInt(from);
  return BigInt(places(whole.length - part.length + 1).find((at) => at >= from && isAt(whole, part, at)) ?? -1);
};

const lastIndexOfText: CelFunction = (args) => {
  const [whole, part] = [Array.from(celTextAt(args, 0)), Array.from(celTextAt(args, 1))];
  const until = within(numberAt(args, 2, whole.length), Number.MAX_SAFE_INTEGER);
  if (part.length === 0) return BigInt(until);
  if (args.length > 2 && until >= whole.length) return -1n;
  return BigInt(places(whole.length - part.length + 1).findLast((at) => at <= until && isAt(whole, part, at)) ?? -1);
};

const split: CelFunction = (args) => {
  const most = limitAt(args, 2);
  const mark = celTextAt(args, 1);
  const parts = mark === '' ? Array.from(celTextAt(args, 0)) : celTextAt(args, 0).split(mark);
  if (parts.length <= most) return parts;
  return most === 0 ? [] : [...parts.slice(0, most - 1), parts.slice(most - 1).join(mark)];
};

/** Texts that grow with the product of others must stay short. */
const MOST_TEXT = 1_000_000;

const checkLength = (length: number): void => {
  if (length > MOST_TEXT) throw new CelError(`a text of more than ${MOST_TEXT} characters`);
};

const replace: CelFunction = (args) => {
  let left = limitAt(args, 3);
  const [text, old, fresh] = [celTextAt(args, 0), celTextAt(args, 1), celTextAt(args, 2)];
  checkLength(text.length + (text.length / Math.max(1, old.length) + 1) * fresh.length);
  // The empty text is found between characters, not between the halves of one.
  return text.replaceAll(old === '' ? /(?:)/gu : old, (found) => (left-- > 0 ? fresh : found));
};

const join: CelFunction = (args) => {
  const parts = celArgumentAt(args, 0);
  if (!isCelList(parts)) throw new CelError(`no such overload: a list was expected instead of ${sortOf(parts)}`);
  const mark = args.length > 1 ? celTextAt(args, 1) : '';
  checkLength(parts.reduce<number>((sum, _, index) => sum + celTextAt(parts, index).length + mark.length, 0));
  return parts.map(String).join(mark);
};

/** Functions about texts, and `indexOf` and `lastIndexOf` only of them. */
export const celStrings: Readonly<Record<string, CelFunction>> = {
  startsWith: (args) => celTextAt(args, 0).startsWith(celTextAt(args, 1)),
  endsWith: (args) => celTextAt(args, 0).endsWith(celTextAt(args, 1)),
  contains: (args) => celTextAt(args, 0).includes(celTextAt(args, 1)),
  matches: (args) => matchesOf(args, 1).length > 0,
  find: (args) => matchesOf(args, 1)[0] ?? '',
  findAll: (args) => matchesOf(args, limitAt(args, 2)),
  lowerAscii: (args) => celTextAt(args, 0).replace(/[A-Z]/g, (each) => each.toLowerCase()),
  upperAscii: (args) => celTextAt(args, 0).replace(/[a-z]/g, (each) => each.toUpperCase()),
  trim: (args) => celTextAt(args, 0).trim(),
  charAt: (args) => Array.from(celTextAt(args, 0))[within(numberAt(args, 1), Array.from(celTextAt(args, 0)).length)] ?? '',
  substring,
  indexOf: indexOfText,
  lastIndexOf: lastIndexOfText,
  split,
  replace,
  join,
};
