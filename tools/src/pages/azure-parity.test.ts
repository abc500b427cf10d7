import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { repository } from '../repository.ts';

const page = readFileSync(repository('docs/azure-parity.md'), 'utf8');
const named = [...page.matchAll(/`((?:apps|packages|tools)\/[\w./-]+)`/g)].map(([, path = '']) => path);

test('every file on the page of the Azure audit is there', () => {
  expect(named.length).toBeGreaterThan(60);
  expect([...new Set(named)].filter((path) => !existsSync(repository(path)))).toEqual([]);
});

test('every row of the audit names code, and a test named for it', () => {
  const rows = [...page.matchAll(/^\| (F\d+) \|.*\| (.*) \| (.*) \|$/gm)].map(([, row = '', code = '', tests = '']) => ({
    row,
    code,
    tests,
  }));
  expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 15 }, (_, index) => `F${index + 1}`));
  expect(rows.filter(({ code }) => !/`(?:apps|packages|tools)\//.test(code))).toEqual([]);
  const isNamedFor = (row: string, path: string): boolean =>
    new RegExp(`'(?:F\\d+ and )?${row}(?: and F\\d+)?: `).test(readFileSync(repository(path), 'utf8'));
  const testsOf = (cell: string): readonly string[] => [...cell.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, path = '']) => path);
  expect(rows.filter(({ row, tests }) => !testsOf(tests).some((path) => isNamedFor(row, path)))).toEqual([]);
});

test('every switch of the emulated Azure names its public source, in the code and on its page', () => {
  const code = readFileSync(repository('packages/azure-emulator/src/behaviours.ts'), 'utf8');
  const switches = [...code.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+readonly (\w+): (?!number)/g)];
  expect(switches.length).toBeGreaterThanOrEqual(9);
  const emulator = readFileSync(repository('docs/azure-emulator.md'), 'utf8');
  const rows = new Map([...emulator.matchAll(/^\| `(\w+)` \| .* \| (.*) \|$/gm)].map(([, name = '', source = '']) => [name, source]));
  const unsourced = switches.filter(([, comment = '', name = '']) => !/Source:\s/.test(comment) || !rows.get(name));
  expect(unsourced.map(([, , name]) => name)).toEqual([]);
});
