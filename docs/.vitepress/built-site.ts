import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

const dist = join(import.meta.dirname, 'dist');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

const fileOf = (pathname: string): string | undefined =>
  [pathname, `${pathname}.html`, join(pathname, 'index.html')]
    .map((path) => join(dist, path))
    .find((path) => existsSync(path) && statSync(path).isFile());

/** Where Debian puts it; `CHROMIUM` names another. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Whether Chromium is here. Under CI it has to be. */
export const hasChromium = existsSync(executablePath) || process.env['CI'] === 'true';

/** Starts Chromium without a window. */
export const startChromium = (): Promise<Browser> => chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** Opens a page of the built site, without a server. `width` in pixels. */
export const openPage = async (browser: Browser, { path, width }: { readonly path: string; readonly width: number }): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width, height: 844 }, reducedMotion: 'reduce' });
  await page.route('**/*', (route) => {
    const file = fileOf(decodeURIComponent(new URL(route.request().url()).pathname));
    if (file === undefined) return route.fulfill({ status: 404 });
    return route.fulfill({ body: readFileSync(file), contentType: TYPES[extname(file)] ?? 'application/octet-stream' });
  });
  await page.goto(`http://site.test${path}`, { waitUntil: 'networkidle' });
  return page;
};
