import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { markdownPages } from './markdown-pages.ts';
import { repository } from '../repository.ts';

const files = globSync('{packages,apps,tools,docs}/**/*', { cwd: repository('.'), exclude: (path) => /node_modules|dist/.test(path) });

const proseOf = (page: string): string => readFileSync(repository(page), 'utf8').replaceAll(/```[\s\S]*?```/g, '');

const namedIn = (page: string, pattern: RegExp): readonly string[] => [
  ...new Set([...proseOf(page).matchAll(pattern)].map(([, name = '']) => name)),
];

/** `core/kube/x.ts`, as tables shorten it, is `packages/core/src/kube/x.ts`. */
const isThere = (name: string): boolean =>
  files.some((file) => [file, file.replace('/src/', '/')].some((path) => path === name || path.endsWith(`/${name}`)));

/** Of files in general: `x.test.ts`. */
const isPattern = (name: string): boolean => name.startsWith('x.');

/** A decision speaks of the day on which it was made. */
const pages = markdownPages().filter((page) => !page.startsWith('docs/adr/') && !page.includes('CHANGELOG'));

describe.each(pages)('%s', (page) => {
  test('names files that there are', () => {
    const names = namedIn(page, /`(?:…\/)?((?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)*\.ts)`/g);
    expect(names.filter((name) => !isPattern(name) && !isThere(name))).toEqual([]);
  });

  test('names titles of tests that there are', () => {
    const titles = [...proseOf(page).matchAll(/`([\w.-]+\.test\.ts)`: “([^”]+)”/g)];
    const lacks = titles.filter(([, name = '', title = '']) => {
      const paths = files.filter((file) => file.endsWith(`/${name}`));
      return !paths.some((path) => readFileSync(repository(path), 'utf8').includes(title));
    });
    expect(lacks.map(([whole]) => whole)).toEqual([]);
  });

  test('names folders that there are', () => {
    const names = namedIn(page, /`((?:packages|apps|tools|docs)\/[\w./-]*\w)`/g);
    expect(names.filter((name) => !name.includes('/dist/') && !files.includes(name))).toEqual([]);
  });

  test('names metrics that there are', () => {
    const metrics = readFileSync(repository('docs/reference/metrics.md'), 'utf8');
    expect(namedIn(page, /\b((?:karpenter|operator)_[a-z_]*[a-z])\b/g).filter((name) => !metrics.includes(`\`${name}\``))).toEqual([]);
  });

  test('names scripts that there are', () => {
    const { scripts } = JSON.parse(readFileSync(repository('package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const own = ['install', 'changeset'];
    const names = namedIn(page, /`(?:pnpm|npm run) ([a-z][a-z:-]*)(?=[ `])/g);
    expect(names.filter((name) => scripts[name] === undefined && !own.includes(name))).toEqual([]);
  });
});
