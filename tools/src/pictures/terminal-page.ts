import { escapedHtml } from '../escaped-html.ts';
import type { Page } from './screenshot.ts';

/** Pixels of one character, and around all of them. */
const CELL = { width: 8, height: 19, margin: 18 };

/** A page in HTML that shows lines as a terminal does, and the size of the window that it fills, in pixels. */
export const terminalPage = (lines: readonly string[]): Page => {
  const columns = Math.max(...lines.map(({ length }) => length), 0);
  const { width, height, margin } = CELL;
  const style = `margin:0;padding:${margin}px;background:#10151c;color:#d6dde6;font:13.3px/${height}px 'DejaVu Sans Mono',monospace`;
  return {
    html: `<!doctype html><meta charset="utf-8"><body style="margin:0;background:#10151c"><pre style="${style}">${escapedHtml(lines.join('\n'))}</pre>`,
    width: columns * width + 2 * margin,
    height: lines.length * height + 2 * margin,
  };
};
