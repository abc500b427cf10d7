import { stripVTControlCharacters, styleText } from 'node:util';
import { Help } from 'commander';

/** Where a command writes, and what that place can show. */
export interface Paper {
  write(text: string): void;
  /** Columns; undefined in a pipe, where lines are as long as they are. */
  readonly width: number | undefined;
  /** Rows; undefined in a pipe. */
  readonly height?: number | undefined;
  readonly hasColor: boolean;
}

/**
 * What a terminal executes, reorders by, or takes for the end of a line: control characters but tabs and line feeds, marks
 * of writing direction, and the separators of Unicode.
 */
const CONTROL = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\t': String.raw`\t` };

/** The text with its control characters written as JSON writes them: `\\u001b`. Its lines stay lines. */
export const visible = (text: string): string =>
  text.replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same for a name or a value, which is no reason for a line of its own. */
const visibleWord = (text: string): string => visible(text.replace(/[\n\t]/gu, (character) => SHORT[character] ?? character));

const visibleValue = (value: unknown): unknown => {
  if (typeof value === 'string') return visibleWord(value);
  if (Array.isArray(value)) return value.map(visibleValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [visibleWord(key), visibleValue(each)]));
};

/**
 * An answer whose texts a terminal does not execute, each on one line: names and values in it are those of who wrote a pod
 * or a node. Takes what JSON can write. Colors are added later, by `paint`.
 */
export const visibleIn = <T>(answer: T): T => visibleValue(answer) as T;

/** The answer as JSON. `JSON.stringify` leaves the control characters beyond ASCII, and DEL, as they are. */
export const jsonText = (answer: unknown): string => `${visible(JSON.stringify(answer, null, 2))}\n`;

type Style = Parameters<typeof styleText>[0];

/** A text in a color, where the paper has colors. */
export const paint = ({ hasColor }: Pick<Paper, 'hasColor'>, style: Style, text: string): string =>
  hasColor ? styleText(style, text, { validateStream: false }) : text;

/** How far a line of a tree is indented, and its branch. */
const BRANCH = /^(?:│ {2}| {3})*[├└]─ /u;

const foldLine = (line: string, width: number): string => {
  const branch = BRANCH.exec(line)?.[0] ?? '';
  const isWhole = stripVTControlCharacters(line).length <= width || (branch === '' && line.startsWith(' '));
  if (isWhole) return line;
  const [first = '', ...rest] = new Help().boxWrap(line.slice(branch.length), width - branch.length).split('\n');
  const below = branch.replace('├─', '│ ').replace('└─', '  ');
  return [`${branch}${first}`, ...rest.map((each) => `${below}${each}`)].join('\n');
};

/** The text with lines no wider than the terminal, broken between words. Indented rows and commands stay whole. */
export const fold = (text: string, { width }: Pick<Paper, 'width'>): string =>
  width === undefined
    ? text
    : text
        .split('\n')
        .map((line) => foldLine(line, width))
        .join('\n');

/** The part of a terminal that `paperOf` reads. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const hasColorOf = ({ isTTY = false }: Terminal, env: NodeJS.ProcessEnv): boolean => {
  const { NO_COLOR = '', FORCE_COLOR, TERM } = env;
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0';
  return isTTY && TERM !== 'dumb';
};

/** The paper that a stream is. `NO_COLOR` and `FORCE_COLOR` count as everywhere. */
export const paperOf = (terminal: Terminal, env: NodeJS.ProcessEnv): Paper => ({
  write: (text) => void terminal.write(text),
  get width() {
    return terminal.isTTY === true ? (terminal.columns ?? 80) : undefined;
  },
  get height() {
    return terminal.isTTY === true ? (terminal.rows ?? 24) : undefined;
  },
  hasColor: hasColorOf(terminal, env),
});
