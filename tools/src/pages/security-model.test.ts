import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { repository } from '../repository.ts';
import { testTitlesIn } from './test-titles.ts';

const page = readFileSync(repository('docs/security-model.md'), 'utf8');
const [, table = ''] = page.split('## Who can do what to whom');
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('each row of the security model', () => {
  test('has who, what, what stops it and how that is tested', () => {
    expect(rows.length).toBeGreaterThan(15);
    for (const row of rows) expect([row, row.length]).toEqual([row, 4]);
  });

  test('names tests, or says that nothing stops it', () => {
    for (const [, what = '', stops = '', tests = ''] of rows)
      expect([what, stops.startsWith('nothing') || tests !== '']).toEqual([what, true]);
  });

  test('names only tests and commands that exist', () => {
    const named = rows.flatMap(([, , , tests = '']) => [...tests.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    const { scripts } = JSON.parse(readFileSync(repository('package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const isThere = (name: string): boolean =>
      name.startsWith('pnpm ') ? scripts[name.slice(5)] !== undefined : existsSync(repository(name));
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });

  test('names the titles of the tests that hold it, as they stand in their files', () => {
    const lacks: string[] = [];
    for (const [, , , tests = ''] of rows) {
      for (const [, file = '', quoted = ''] of tests.matchAll(/`([\w./-]+\.test\.ts)`((?:,? “[^”]+”)*)/g)) {
        const titles = [...quoted.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title);
        if (titles.length === 0) lacks.push(`${file} without a title`);
        const known = testTitlesIn(file);
        lacks.push(...titles.filter((title) => !known.has(title)).map((title) => `${file}: ${title}`));
      }
    }
    expect(lacks).toEqual([]);
  });
});
