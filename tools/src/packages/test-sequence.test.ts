import { existsSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { repository } from '../repository.ts';

/** A test file as jest sorts it. */
interface SortedFile {
  readonly path: string;
  readonly duration?: number;
  readonly context: { readonly config: { readonly cache: boolean }; readonly hasteFS: { getSize(path: string): number } };
}

interface Sequence {
  readonly default: new (options: object) => { sort(files: readonly SortedFile[]): readonly SortedFile[] };
  readonly long: readonly string[];
}

const { default: LongestFirst, long } = (await import(pathToFileURL(repository('jest.sequencer.mjs')).href)) as Sequence;
const context = { config: { cache: false }, hasteFS: { getSize: (path: string) => statSync(path).size } };
const large = repository('tools/src/crds/original-admission.test.ts');

const sorted = (files: readonly Omit<SortedFile, 'context'>[]): readonly string[] =>
  new LongestFirst({}).sort(files.map((file) => ({ ...file, context }))).map(({ path }) => path);

test.each(long)('%s, which starts first, is there', (path) => expect(existsSync(repository(path))).toBe(true));

test('without times of an earlier run, long files start before larger ones', () => {
  const [first = ''] = long;
  expect(sorted([{ path: large }, { path: repository(first) }])).toEqual([repository(first), large]);
});

test('of long files the larger starts first', () => {
  const files = long.slice(0, 2).map(repository);
  const bySize = files.toSorted((a, b) => statSync(b).size - statSync(a).size);
  expect(sorted(files.map((path) => ({ path })))).toEqual(bySize);
});
