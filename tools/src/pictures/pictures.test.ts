import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { terminalPage } from './terminal-page.ts';
import { terminalScreens } from './terminal-screens.ts';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
const PNG = '89504e470d0a1a0a';

const screensOf = async (recording: string) => {
  const screens: (readonly string[])[] = [];
  for await (const screen of terminalScreens(recording, { cols: 20, rows: 4 })) screens.push(screen);
  return screens;
};

test('a recording is seen as a terminal showed it: drawn over, scrolled, and without what `script` says of itself', async () => {
  const recording =
    'Script started on today\none\r\ntwo\u001b[J\u001b[1A\rnew\u001b[K\r\ntwo\r\nthree\u001b[J\r\nfour\r\nfive\u001b[J\nScript done on today\n';
  const screens = await screensOf(recording);
  expect(screens.slice(0, 3)).toEqual([
    ['', 'one', 'two'],
    ['', 'new', 'two', 'three'],
    ['two', 'three', 'four', 'five'],
  ]);
});

test('a page is as large as its text, which it shows unchanged', () => {
  const page = terminalPage(['a < b', 'c']);
  expect(page).toMatchObject({ width: 76, height: 74 });
  expect(page.html).toContain('a &lt; b\nc');
});

const files = readdirSync(join(docs, 'public'));
const pictures = files.filter((name) => name.endsWith('.png'));
const pages = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(join(docs, name), 'utf8'));

test.each(pictures)('the picture %s is one, small, and shown', (name) => {
  const path = join(docs, 'public', name);
  expect(readFileSync(path).subarray(0, 8).toString('hex')).toBe(PNG);
  expect(statSync(path).size).toBeLessThan(200_000);
  expect(pages.some((page) => page.includes(`(public/${name})`) || page.includes(`(/${name})`))).toBe(true);
});

test('every picture that a page shows is there', () => {
  const shown = pages.flatMap((page) => [...page.matchAll(/!\[[^\]]*\]\((?:public)?\/([^)]+)\)/g)].map(([, name]) => name));
  expect(files).toEqual(expect.arrayContaining(shown));
  expect(shown.length).toBeGreaterThan(0);
});
