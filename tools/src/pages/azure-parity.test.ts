import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { repository } from '../repository.ts';

const page = readFileSync(repository('docs/azure-parity.md'), 'utf8');
const named = [...page.matchAll(/`((?:apps|packages|tools)\/[\w./-]+)`/g)].map(([, path = '']) => path);

test('every file on the page of the Azure audit is there', () => {
  expect(named.length).toBeGreaterThan(60);
  expect([...new Set(named)].filter((path) => !existsSync(repository(path)))).toEqual([]);
});

test('every row of the audit names code and a test', () => {
  const rows = [...page.matchAll(/^\| F\d+ \|.*\| (.*) \| (.*) \|$/gm)].map(([, code = '', tests = '']) => ({ code, tests }));
  expect(rows).toHaveLength(15);
  expect(rows.filter(({ code, tests }) => !/`(?:apps|packages|tools)\//.test(code) || !/\.test\.ts`/.test(tests))).toEqual([]);
});
