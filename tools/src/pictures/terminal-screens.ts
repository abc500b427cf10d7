import xterm from '@xterm/headless';

/** Width and height in characters. */
export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

/** What `script` writes before and after what was recorded. */
const AROUND = /^Script (?:started|done) on .*$/gm;
/** The demo ends each drawing of its table so. */
const END_OF_DRAWING = '\u001b[J';

/**
 * The screens of a recorded terminal, one for each drawing: its lines from the top, without blanks at their ends and
 * empty lines below.
 */
export async function* terminalScreens(recording: string, { cols, rows }: TerminalSize): AsyncGenerator<readonly string[]> {
  const terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true, convertEol: true });
  const { active } = terminal.buffer;
  for (const drawing of recording.replaceAll(AROUND, '').split(END_OF_DRAWING)) {
    await new Promise<void>((resolve) => {
      terminal.write(`${drawing}${END_OF_DRAWING}`, resolve);
    });
    const lines = Array.from({ length: rows }, (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '');
    yield lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }
  terminal.dispose();
}
