type Quote = "'" | '"' | undefined;

interface Scan {
  readonly words: string[];
  word: string | undefined;
  quote: Quote;
}

const endWord = (scan: Scan): void => {
  if (scan.word !== undefined) scan.words.push(scan.word);
  scan.word = undefined;
};

const append = (scan: Scan, text: string): void => {
  scan.word = (scan.word ?? '') + text;
};

const ESCAPABLE_IN_DOUBLE_QUOTES = /["$`\\]/;

/** Takes one character outside quotes; says how many characters were used up. */
const takePlain = (scan: Scan, script: string, at: number): number => {
  const char = script.charAt(at);
  if (char === "'" || char === '"') {
    scan.quote = char;
    append(scan, '');
    return 1;
  }
  if (char === '\\') {
    if (script.charAt(at + 1) !== '\n') append(scan, script.charAt(at + 1));
    return 2;
  }
  if (char === '#' && scan.word === undefined) {
    const end = script.indexOf('\n', at);
    return (end === -1 ? script.length : end) - at;
  }
  if (/[\s;&|()]/.test(char)) endWord(scan);
  else append(scan, char);
  return 1;
};

const takeQuoted = (scan: Scan, script: string, at: number): number => {
  const char = script.charAt(at);
  if (char === scan.quote) {
    scan.quote = undefined;
    return 1;
  }
  const next = script.charAt(at + 1);
  if (scan.quote === '"' && char === '\\' && (ESCAPABLE_IN_DOUBLE_QUOTES.test(next) || next === '\n')) {
    append(scan, next === '\n' ? '' : next);
    return 2;
  }
  append(scan, char);
  return 1;
};

const wordsOf = (script: string): readonly string[] => {
  const scan: Scan = { words: [], word: undefined, quote: undefined };
  for (let at = 0; at < script.length;) {
    at += scan.quote === undefined ? takePlain(scan, script, at) : takeQuoted(scan, script, at);
  }
  endWord(scan);
  return scan.words;
};

/**
 * The variables that a shell script sets: name → value with its quotes taken off, the last assignment of a name
 * winning. Expansions (`$x`, `$(…)`) are left as they are written.
 */
export const shellAssignments = (script: string): ReadonlyMap<string, string> => {
  const assignments = new Map<string, string>();
  for (const word of wordsOf(script)) {
    const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/.exec(word);
    if (assignment) assignments.set(assignment[1] ?? '', assignment[2] ?? '');
  }
  return assignments;
};
