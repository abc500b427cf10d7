import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A page, and the size of the window that it fills, in pixels. */
export interface Page {
  readonly html: string;
  readonly width: number;
  readonly height: number;
}

/** Lets a browser (Chromium, headless) draw a page into a PNG file. */
export const screenshot = ({ html, width, height }: Page, browser: string, file: string): void => {
  const folder = mkdtempSync(join(tmpdir(), 'picture-'));
  const page = join(folder, 'page.html');
  writeFileSync(page, html);
  const flags = ['--headless', '--no-sandbox', '--hide-scrollbars', '--disable-gpu', `--user-data-dir=${folder}`];
  execFileSync(browser, [...flags, `--window-size=${width},${height}`, `--screenshot=${file}`, `file://${page}`]);
  rmSync(folder, { recursive: true });
};
