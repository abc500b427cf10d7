import { itemAt } from '../../../base/index.ts';
import { CelError, isCelList, sortOf } from './cel-value.ts';
import type { CelValue } from './cel-value.ts';
import type { TextPatterns } from './text-patterns.ts';

/** What functions need besides their arguments. */
export interface CelWork {
  /** Counts the steps that a function takes beyond those for the length of its arguments. Throws when there are too many. */
  readonly pay: (steps: number) => void;
  readonly patterns: TextPatterns;
}

/** A function of the language: the target comes first where there is one. */
export type CelFunction = (args: readonly CelValue[], work: CelWork) => CelValue;

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

/** A function about the matches of a pattern in a text. */
const aboutMatches =
  (answer: (matches: readonly string[]) => CelValue, mostAt: (args: readonly CelValue[]) => number): CelFunction =>
  (args, { patterns, pay }) =>
    answer(patterns.matches(celTextAt(args, 0), celTextAt(args, 1), { most: mostAt(args), pay }));

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
  matches: aboutMatches(
    ({ length }) => length > 0,
    () => 1,
  ),
  find: aboutMatches(
    ([first = '']) => first,
    () => 1,
  ),
  findAll: aboutMatches(
    (matches) => matches,
    (args) => limitAt(args, 2),
  ),
  lowerAscii: (args) => celTextAt(args, 0).replace(/[A-Z]/g, (each) => each.toLowerCase()),
  upperAscii: (args) => celTextAt(args, 0).replace(/[a-z]/g, (each) => each.toUpperCase()),
  trim: (args) => celTextAt(args, 0).trim(),
  charAt: (args) => {
    const characters = Array.from(celTextAt(args, 0));
    const at = within(numberAt(args, 1), characters.length);
    return at === characters.length ? '' : itemAt(characters, at);
  },
  substring,
  indexOf: indexOfText,
  lastIndexOf: lastIndexOfText,
  split,
  replace,
  join,
};
