import { styleText } from 'node:util';

/** Where a command writes, and what that place can show. */
export interface Paper {
  write(text: string): void;
  /** Columns; undefined in a pipe, where lines are as long as they are. */
  readonly width: number | undefined;
  readonly hasColor: boolean;
}

type Style = Parameters<typeof styleText>[0];

/** A text in a color, where the paper has colors. */
export const paint = ({ hasColor }: Pick<Paper, 'hasColor'>, style: Style, text: string): string =>
  hasColor ? styleText(style, text, { validateStream: false }) : text;

/** A terminal as far as `paperOf` looks at it. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
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
  hasColor: hasColorOf(terminal, env),
});
