import { headline, nodeTable } from './table.ts';
import type { Sight } from './sight.ts';
import { wrap } from './wrap.ts';

/** Where the demo shows what happens. */
export interface Screen {
  /** Something happened: stays. */
  line(text: string): void;
  /** How things stand: replaces what stood before. */
  show(sight: Sight): void;
  /** What `show` drew last stays from here on. */
  end(): void;
}

export interface DemoTerminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const ERASE_LINE = '\u001b[K';
const ERASE_BELOW = '\u001b[J';
const up = (lines: number): string => (lines === 0 ? '' : `\u001b[${lines}A`);

/** Lines that the table leaves to the events above it. */
const EVENT_LINES = 6;
/** A blank line, the headline, and the cursor's own line. */
const FRAME_LINES = 3;
const LEAST_TABLE_LINES = 3;

/** The table is redrawn in place below the lines that stay: line over line, so that what has not changed does not flicker. */
const liveScreen = (terminal: DemoTerminal): Screen => {
  let drawn: readonly string[] = [];
  const size = () => ({ width: (terminal.columns || 120) - 1, height: terminal.rows || 40 });

  /** Lines that `drawn` takes by now: a terminal that became narrower has folded them. */
  const drawnLines = (): number => drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / (size().width + 1))), 0);

  const draw = (above: readonly string[], table: readonly string[]): void => {
    if (above.length === 0 && table.length === drawn.length && table.every((line, index) => line === drawn[index])) return;
    const lines = [...above, ...table].map((line) => `${line}${ERASE_LINE}\n`);
    terminal.write(`${up(drawnLines())}\r${lines.join('')}${ERASE_BELOW}`);
    drawn = table;
  };

  const tableOf = (sight: Sight): readonly string[] => {
    const { width, height } = size();
    const room = { width: width - 2, height: Math.max(LEAST_TABLE_LINES, height - FRAME_LINES - EVENT_LINES) };
    return ['', ...[headline(sight), ...nodeTable(sight.nodes, room)].map((line) => `  ${line}`.slice(0, width))];
  };

  return {
    line: (text) => draw(wrap(text, size().width), drawn),
    show: (sight) => draw([], tableOf(sight)),
    end: () => {
      drawn = [];
    },
  };
};

/** In a pipe: one line an event, and one line whenever pods, nodes or price changed. */
const plainScreen = (terminal: DemoTerminal): Screen => {
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

export const createScreen = (terminal: DemoTerminal): Screen => (terminal.isTTY ? liveScreen(terminal) : plainScreen(terminal));
