/** The least and the greatest number that is accepted. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** Whole numbers that are exact and not negative. */
export const COUNTS: NumberRange = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** What Go and Kubernetes read into an `int32`. */
export const INT32: NumberRange = { min: -(2 ** 31), max: 2 ** 31 - 1 };

export const PERCENT: NumberRange = { min: 0, max: 100 };

const WHOLE = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Numbers written with more characters are refused: nobody writes them, and each costs time. */
const MOST_CHARACTERS = 400;

const numberIn = (shape: RegExp, text: string, { min, max }: NumberRange): number | undefined => {
  if (text.length > MOST_CHARACTERS || !shape.test(text)) return undefined;
  const value = Number(text);
  // Adding zero makes -0 a plain zero.
  return value >= min && value <= max ? value + 0 : undefined;
};

/** The whole number that an untrusted text writes in decimal (`12`, `-3`); undefined for other texts, or out of range. */
export const wholeNumberIn = (text: string, range: NumberRange = COUNTS): number | undefined => numberIn(WHOLE, text, range);

/**
 * The number that an untrusted text writes in decimal (`1.5`, `.5`, `1e-3`); undefined for other texts, or out of range.
 * Never NaN.
 */
export const decimalIn = (text: string, range: NumberRange = COUNTS): number | undefined => numberIn(DECIMAL, text, range);

/**
 * A whole number as people write it, with commas between thousands. Without `Intl`, whose locale data would take 7 MiB as
 * soon as a pod is refused.
 */
export const groupedDigits = (count: number): string => {
  if (!Number.isSafeInteger(count)) return String(count);
  const digits = String(Math.abs(count));
  const ofFirst = digits.length % 3 || 3;
  const groups = [digits.slice(0, ofFirst)];
  for (let at = ofFirst; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3));
  return `${count < 0 ? '-' : ''}${groups.join(',')}`;
};

type Row = readonly number[];

const at = (row: Row, index: number): number => row[index] ?? Number.POSITIVE_INFINITY;

/**
 * How many letters must be put in, left out, changed or swapped with their neighbour to make one text of the other.
 * Source: Damerau, Levenshtein; restricted to swaps that nothing stands between.
 */
const distance = (a: string, b: string): number => {
  let before: Row = [];
  let last: Row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY;
      const change = at(last, j - 1) + Number(a[i - 1] !== b[j - 1]);
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, change, swap));
    }
    before = last;
    last = row;
  }
  return at(last, b.length);
};

/** No name of Kubernetes is longer: a prefix of 253 letters, a slash, and 63. */
const LONGEST = 317;

/**
 * Which of these texts was probably meant: the nearest by misspellings, the first by name among equals; undefined where
 * none is near. One slip is forgiven in every four letters, and letters in another case are none. A text that is longer
 * than any name has no nearest one.
 */
export const nearestText = (text: string, known: Iterable<string>): string | undefined => {
  if (text.length > LONGEST) return undefined;
  const slips = Math.min(text.length, Math.max(1, Math.floor(text.length / 4)));
  let nearest: { readonly text: string; readonly distance: number } | undefined;
  for (const each of [...known].sort()) {
    if (each === text || Math.abs(each.length - text.length) > slips) continue;
    const found = distance(text.toLowerCase(), each.toLowerCase());
    if (found <= slips && found < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { text: each, distance: found };
  }
  return nearest?.text;
};

/** What a terminal, a text tool or a person may take for the end of a line. */
const LINE_END = /[\n\v\f\r\u0085\u2028\u2029]/gu;

/** The text on one line, its line ends written as JSON writes them: names and values are those of who wrote an object. */
export const onOneLine = (text: string): string =>
  text.replace(LINE_END, (end) => (end === '\n' ? String.raw`\n` : `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`));
