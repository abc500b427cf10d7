import { decimalIn, durationMs, wholeNumberIn } from '@karpenter/core';
import { COUNTS, formatDuration, type NumberRange } from '@karpenter/core/internal';

/** What reading one option's text gives: a value, or what would have been right. */
export type Parsed<T> = { readonly value: T } | { readonly wanted: string };

/** One setting: a flag, the environment variable that stands in for it, and how its text is read. */
export interface Option<T> {
  readonly flag: string;
  readonly env: string;
  readonly byDefault: T;
  /** The default as a person would write it; empty: there is nothing to say. */
  readonly defaultText: string;
  readonly help: string;
  readonly parse: (text: string) => Parsed<T>;
}

type Names = Pick<Option<unknown>, 'flag' | 'env' | 'help'>;

/** An empty text is a value only where it is the default. */
export const textOption = (names: Names, byDefault: string): Option<string> => ({
  ...names,
  byDefault,
  defaultText: byDefault,
  parse: (value) => (value === '' && byDefault !== '' ? { wanted: `a text such as ${byDefault}` } : { value }),
});

/** Only `true` and `false`, as in the original: `yes` or `1` would be a guess. */
export const booleanOption = (names: Names, byDefault: boolean): Option<boolean> => ({
  ...names,
  byDefault,
  defaultText: String(byDefault),
  parse: (text) => (text === 'true' || text === 'false' ? { value: text === 'true' } : { wanted: 'true or false' }),
});

export const numberOption = (names: Names, byDefault: number, range: NumberRange): Option<number> => ({
  ...names,
  byDefault,
  defaultText: String(byDefault),
  parse: (text) => {
    const value = wholeNumberIn(text, range);
    return value === undefined ? { wanted: `a whole number from ${range.min} to ${range.max}` } : { value };
  },
});

/** Dollars, as a plain decimal number that is not negative. */
export const dollarsOption = (names: Names, byDefault: number): Option<number> => ({
  ...names,
  byDefault,
  defaultText: String(byDefault),
  parse: (text) => {
    const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? decimalIn(text, COUNTS) : undefined;
    return value === undefined ? { wanted: 'dollars as a decimal number such as 0.01, not negative' } : { value };
  },
});

export const choiceOption = <T extends string>(names: Names, choices: readonly [T, ...T[]]): Option<T> => ({
  ...names,
  help: `${names.help}: ${choices.join(', ')}`,
  byDefault: choices[0],
  defaultText: choices[0],
  parse: (text) => {
    const value = choices.find((choice) => choice === text);
    return value === undefined ? { wanted: `one of ${choices.join(', ')}` } : { value };
  },
});

/** A Go duration (`10s`, `1m30s`), read into milliseconds. */
export const durationOption = (names: Names, defaultMs: number): Option<number> => ({
  ...names,
  byDefault: defaultMs,
  defaultText: formatDuration(defaultMs),
  parse: (text) => {
    const value = durationMs(text);
    return value === undefined || value < 0 ? { wanted: 'a duration such as 10s or 1m30s' } : { value };
  },
});
