import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, leadsSomewhere, openPage, pagePaths, sitePage, siteUrl, startChromium } from './built-site.ts';

/** One page of each kind, and those with the widest tables: with scripts, which takes a second for each. */
const paths = ['/', '/cli', '/from-go-karpenter', '/reference/nodepool'];

/** Words in cells of tables that stand on two lines. A name may break between its parts (`<wbr>`), and a word after its hyphens. */
const splitWords = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const cells = document.querySelectorAll('.vp-doc :is(th, td)');
    const range = document.createRange();
    for (const cell of cells) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[\p{L}\p{N}]+/gu)) {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
          if (lines.size > 1) found.push(word);
        }
      }
    }
    return found;
  });

/** Faults of a page that its file alone shows. */
const faultsOf = async (page: Page): Promise<readonly string[]> => {
  const { links, levels, raw, pictures } = await page.evaluate(() => {
    const content = document.querySelector('#VPContent') ?? document.body;
    const texts = [...content.querySelectorAll('.vp-doc :is(p, li, td)')].map((each) => {
      const copy = each.cloneNode(true) as Element;
      for (const code of copy.querySelectorAll('code, pre')) code.remove();
      return copy.textContent;
    });
    return {
      links: [...content.querySelectorAll('a[href]')].map((link) => (link as HTMLAnchorElement).href),
      levels: [...content.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(({ tagName }) => Number(tagName.slice(1))),
      raw: texts.filter((text) => /```|^:::|^\s*\|.*\|\s*$|\]\(\S+\)|<!--/m.test(text)),
      pictures: [...content.querySelectorAll('img')].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src),
    };
  });
  const dead = [...new Set(links)].filter((link) => link.startsWith(siteUrl('/')) && !leadsSomewhere(new URL(link)));
  const skipped = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
  return [
    ...dead.map((link) => `leads nowhere: ${link}`),
    ...(levels.filter((level) => level === 1).length === 1 ? [] : ['has no title, or several']),
    ...skipped.map((level) => `a heading of level ${level} is below none of level ${level - 1}`),
    ...raw.map((text) => `not rendered: ${text}`),
    ...pictures.map((picture) => `no picture: ${picture}`),
  ];
};

/** What axe finds: rule and the first element of each. */
const barriers = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.length} × ${nodes[0]?.html}`);
};

const pages = hasChromium ? pagePaths() : ['/'];

if (!hasChromium) process.stderr.write('chromium is not installed: the built site is not checked here; it is under CI\n');

(hasChromium ? describe : describe.skip)('the built site in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  describe('every page', () => {
    let page: Page;
    beforeAll(async () => {
      page = await sitePage(browser, { width: 390, hasScripts: false });
    });
    afterAll(() => page.close());

    test.each(pages)('%s: links lead somewhere, headings are in order, all is rendered, and a phone splits no word', async (path) => {
      await page.goto(siteUrl(path));
      expect(await faultsOf(page)).toEqual([]);
      expect(await splitWords(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    });
  });

  test.each(paths)('%s: on a phone no word of a table is split, nothing sticks out, and axe finds no barrier', async (path) => {
    const page = await openPage(browser, { path, width: 390 });
    expect(await splitWords(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await barriers(page)).toEqual([]);
    await page.close();
  });

  test('on a desktop axe finds no barrier', async () => {
    const page = await openPage(browser, { path: '/adr/0078-a-rebalance-is-a-plan-in-waves', width: 1280 });
    expect(await barriers(page)).toEqual([]);
    await page.close();
  });
});
