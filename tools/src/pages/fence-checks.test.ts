import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { allFences, fenceChecks } from './fence-checks.ts';
import { fencesIn, fencePlaceOf } from './fence.ts';
import { markdownPages } from './markdown-pages.ts';
import { repository } from '../repository.ts';

const checks = Object.entries(fenceChecks);

describe('blocks of pages', () => {
  test.each(allFences().map((fence) => [fencePlaceOf(fence), fence] as const))('%s is claimed by one check', (_place, fence) => {
    expect(checks.filter(([, { claims }]) => claims(fence)).map(([name]) => name)).toHaveLength(1);
  });

  test.each(markdownPages())('%s has none that is not seen', (page) => {
    const markdown = readFileSync(repository(page), 'utf8');
    expect(markdown.match(/^ *(?:`{3,}|~{3,})/gm) ?? []).toHaveLength(2 * fencesIn(page, markdown).length);
  });

  test.each(checks)('%s are used by the test that checks them', (name, { test: file }) => {
    expect(readFileSync(repository(file), 'utf8').includes(`fencesOf('${name}')`)).toBe(true);
  });
});

test('a block is read with its mark, its language and its line, and without its indent', () => {
  const page = 'One\n\n<!-- output: a.ts -->\n```\nsaid\n```\n\n- two\n\n  ```yaml\n  a:\n    b: 1\n  ```\n';
  expect(fencesIn('p.md', page)).toEqual([
    { page: 'p.md', line: 3, language: '', text: 'said\n', mark: { kind: 'output', of: 'a.ts' } },
    { page: 'p.md', line: 10, language: 'yaml', text: 'a:\n  b: 1\n' },
  ]);
});
