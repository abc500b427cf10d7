import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

const dist = join(import.meta.dirname, 'dist');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Paths of all pages of the built site, without the one for what is not there. */
export const pagePaths = (): readonly string[] =>
  readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html') && name !== '404.html' && !name.startsWith('files'))
    .map((name) => `/${name.replaceAll(sep, '/').replace(/(?:index)?\.html$/, '')}`)
    .sort();

/** The file that a path of the site is served from; undefined where there is none. */
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

const ids = new Map<string, ReadonlySet<string>>();

/** Whether a link to a path of the site, with or without `#place`, leads to something. */
export const leadsSomewhere = ({ pathname, hash }: URL): boolean => {
  const file = fileOf(decodeURIComponent(pathname));
  if (file === undefined || hash === '') return file !== undefined;
  const known = ids.get(file) ?? new Set(Array.from(readFileSync(file, 'utf8').matchAll(/ id="([^"]+)"/g), ([, id = '']) => id));
  ids.set(file, known);
  return known.has(decodeURIComponent(hash.slice(1)));
};

/** A page that shows the built site, without a server. `width` in pixels; without scripts a page is what its file says. */
export const sitePage = async (
  browser: Browser,
  { width, hasScripts }: { readonly width: number; readonly hasScripts: boolean },
): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width, height: 844 }, reducedMotion: 'reduce', javaScriptEnabled: hasScripts });
  await page.route('**/*', (route) => {
    const file = fileOf(decodeURIComponent(new URL(route.request().url()).pathname));
    if (file === undefined) return route.fulfill({ status: 404 });
    return route.fulfill({ body: readFileSync(file), contentType: TYPES[extname(file)] ?? 'application/octet-stream' });
  });
  return page;
};

/** Where a path of the site is in `sitePage`. */
export const siteUrl = (path: string): string => new URL(path, 'http://site.test').href;

/** Opens a page of the built site, with its scripts. `width` in pixels. */
export const openPage = async (browser: Browser, { path, width }: { readonly path: string; readonly width: number }): Promise<Page> => {
  const page = await sitePage(browser, { width, hasScripts: true });
  await page.goto(siteUrl(path), { waitUntil: 'networkidle' });
  return page;
};
