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

const EMULATOR = 'packages/azure-emulator/src/';
const BEHAVIOURS = `${EMULATOR}behaviours.ts`;

/** What a row of the page describes, where that is no switch of `ArmBehaviours` → where it is declared. */
const DECLARED: Readonly<Record<string, readonly [file: string, declaration: string]>> = {
  throttling: ['options.ts', 'readonly throttling?:'],
  apiVersions: ['options.ts', 'readonly apiVersions?:'],
  sizeDisallowedByPolicy: ['faults/known-refusals.ts', 'sizeDisallowedByPolicy:'],
  'access.lock': ['subscription/access-rules.ts', 'lock(lock: Lock)'],
  delay: ['faults/fault.ts', "| { readonly kind: 'fail';"],
  'latencies.resourceGraphDelayMs': ['options.ts', 'readonly resourceGraphDelayMs:'],
  'latencies.vmDeleteMs': ['options.ts', 'readonly vmDeleteMs:'],
};

/** The comment above a declaration. */
const commentAbove = (path: string, declaration: string): string => {
  const code = readFileSync(repository(path), 'utf8');
  return /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+$/.exec(code.slice(0, code.indexOf(declaration)))?.[1]?.replaceAll(/\s*\n\s*\*\s*/g, ' ') ?? '';
};

/** The issues that a text names: `owner/repository#1`, and `#2` of the same repository. */
const issuesIn = (text: string): readonly string[] => {
  let repositoryOf = '';
  return [...text.matchAll(/([\w-]+\/[\w.-]+)?(#\d+)/g)].map(([, named = repositoryOf, number]) => {
    repositoryOf = named;
    return `${named}${number}`;
  });
};

test('every behaviour of the emulated Azure has its public source in the code, and the same on its page', () => {
  const switches = [...readFileSync(repository(BEHAVIOURS), 'utf8').matchAll(/^ {2}readonly (\w+): (?!number)/gm)].map(
    ([, name = '']) => name,
  );
  const emulator = readFileSync(repository('docs/azure-emulator.md'), 'utf8');
  const [, table = ''] = /\| Behaviour \| What Azure does \| Seen in \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(emulator) ?? [];
  const rows = [...table.matchAll(/^\| `([\w.]+)`.*? \| .* \| (.*) \|$/gm)].map(([, name = '', source = '']) => ({ name, source }));
  expect(rows).toHaveLength(table.trimEnd().split('\n').length);
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...switches, ...Object.keys(DECLARED)].toSorted());
  for (const { name, source } of rows) {
    const [file, declaration] = DECLARED[name] ?? ['behaviours.ts', `readonly ${name}:`];
    const [, stated = ''] = /Source(?: of [\w ]+)?: (.*)/.exec(commentAbove(`${EMULATOR}${file}`, declaration)) ?? [];
    expect([name, stated === '', issuesIn(stated).toSorted()]).toEqual([name, source === '', issuesIn(source).toSorted()]);
  }
});
