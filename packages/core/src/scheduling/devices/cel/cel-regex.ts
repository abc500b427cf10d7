import { CelError } from './cel-error.ts';

/** A pattern longer than this, or with more repetitions without end, could take very long on a text that does not match. */
const MOST_LENGTH = 256;
const MOST_REPETITIONS = 3;

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

/** The pattern as JavaScript has it. Throws a `CelError` for one that it does not know, or that may take too long. */
export const regexOf = (pattern: string): RegExp => {
  if (pattern.length > MOST_LENGTH) throw new CelError(`the pattern is longer than ${MOST_LENGTH} characters`);
  if (mayTakeLong(pattern)) throw new CelError(`the pattern ${pattern} may take too long`);
  const [written = '', flags = ''] = FLAGS.exec(pattern) ?? [];
  try {
    return new RegExp(pattern.slice(written.length).replaceAll('(?P<', '(?<'), `u${flags}`);
  } catch {
    throw new CelError(`the pattern ${pattern} cannot be read`);
  }
};
