import { headline, nodeTable } from './table.ts';
import type { Sight } from './sight.ts';

/** Where the demo shows what happens. */
export interface Screen {
  /** Something happened: stays. */
  line(text: string): void;
  /** How things stand: replaces what stood before. */
  show(sight: Sight): void;
  end(): void;
}

export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const ERASE_BELOW = '\u001b[0J';
const up = (lines: number): string => (lines === 0 ? '' : `\u001b[${lines}A`);

/** The table is redrawn in place below the lines that stay. */
const liveScreen = (terminal: Terminal): Screen => {
  let drawn: readonly string[] = [];
  const draw = (above: string, table: readonly string[]): void => {
    const width = terminal.columns ?? 120;
    const fitted = table.map((line) => line.slice(0, width - 1));
    terminal.write(`${up(drawn.length)}\r${ERASE_BELOW}${above}${fitted.map((line) => `${line}\n`).join('')}`);
    drawn = fitted;
  };
  return {
    line: (text) => draw(`${text}\n`, drawn),
    show: (sight) => draw('', ['', `  ${headline(sight)}`, ...nodeTable(sight.nodes).map((line) => `  ${line}`)]),
    end: () => {
      drawn = [];
    },
  };
};

/** In a pipe: one line an event, and one line whenever pods, nodes or price changed. */
const plainScreen = (terminal: Terminal): Screen => {
  let last = '';
  return {
    line: (text) => void terminal.write(`${text}\n`),
    show: (sight) => {
      const text = headline(sight);
      if (text !== last) terminal.write(`  ${text}\n`);
      last = text;
    },
    end: () => undefined,
  };
};

export const createScreen = (terminal: Terminal): Screen => (terminal.isTTY ? liveScreen(terminal) : plainScreen(terminal));
