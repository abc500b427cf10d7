import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { buildersAgain, helpersAgain } from './builders.ts';
import { duplicatePairs } from './duplicates.ts';
import { namesDeclaredTwice } from './exported-names.ts';
import { importsOutOfOrder } from './imports.ts';
import { memosByHand } from './memos.ts';
import { measureCode, misnamedSteps, silentCellsIn } from './measures.ts';
import { longCommentSentences, longSentences } from './sentences.ts';
import type { Source } from './sources.ts';
import { findTurns } from './wording.ts';

const source = (path: string, text: string): Source => ({
  path,
  isTest: path.endsWith('.test.ts'),
  file: ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true),
});

describe('this repository', () => {
  test.each(measureCode().map(({ name, value, most }) => [name, { value, most }] as const))(
    '%s: no worse than it was',
    (_name, { value, most }) => {
      expect(value).toBeLessThanOrEqual(most);
    },
  );
});

describe('a listed turn', () => {
  test('in a comment, a message or a page is found with its line', () => {
    const code = source('a.ts', "const told = 1;\n/** Is told.\n * Begins anew. */\nlog(`it gave ${told} up`, 'nobody was asked');\n");
    expect(
      findTurns([code], [{ path: 'a.md', lines: ['# A', 'one of which', 'It looks at the pods that are held back.'] }]).map(
        ({ turn, place }) => `${turn} ${place}`,
      ),
    ).toEqual(['tell a.ts:2', 'anew a.ts:3', 'is asked a.ts:4', 'of which a.md:2', 'looked at a.md:3', 'hold back a.md:3']);
  });

  test('that is broken over two lines is found at its first line', () => {
    const code = source('a.ts', '/**\n * Gives\n * the claim up.\n */\n\n// It holds\n// back.\nlog();\n');
    expect(
      findTurns([code], [{ path: 'a.md', lines: ['It gives one', 'of the two up.', '', 'Gives', '- up'] }]).map(({ place }) => place),
    ).toEqual(['a.ts:2', 'a.ts:6', 'a.md:1']);
  });

  test('in a file of settings is found; lines that are no comments are read one by one', () => {
    const lines = ['# It is', '# asked.', 'text: told in other words', 'gives:', 'up'];
    expect(findTurns([], [], [{ path: 'a.yaml', lines }]).map(({ turn, place }) => `${turn} ${place}`)).toEqual([
      'is asked a.yaml:1',
      'tell a.yaml:3',
    ]);
  });

  test.each([
    ['The class stays as it is.', ['as it is']],
    ['As far as it is read; machines on demand; `floor` is Math.floor.', ['floor']],
    ['The demand of a parcel market with a ladder.', ['ladder', 'parcel', 'market', 'demand']],
  ])('with its exceptions: %s', (line, expected) => {
    expect(findTurns([], [{ path: 'a.md', lines: [line] }]).map(({ turn }) => turn)).toEqual(expected);
  });

  test('in names and in strings without a space is not counted', () => {
    expect(findTurns([source('a.ts', "const tell = 'told';\n")], [])).toEqual([]);
  });
});

describe('a sentence with more words than allowed', () => {
  const wordsOf = (...lines: readonly string[]): readonly string[] =>
    longSentences([{ path: 'a.md', lines }], 3).map(({ place, words }) => `${place} ${words}`);

  test('in a paragraph is found at its beginning, also when it goes on in the next line', () => {
    expect(wordsOf('# A', '', 'One two three. One', 'two three four. One two', 'three.')).toEqual(['a.md:3 4']);
  });

  test('in an item or a cell is counted by itself', () => {
    expect(wordsOf('- one two', '- three four five six', '', '| one two | three four five six |')).toEqual(['a.md:2 4', 'a.md:4 4']);
  });

  test('in a comment is found at its line; code and messages are not sentences', () => {
    const code = source(
      'a.ts',
      "/**\n * One two three.\n * One two\n * three four.\n */\nlog('one two three four five');\n// One two three four",
    );
    expect(longCommentSentences([code], 3).map(({ place, words }) => `${place} ${words}`)).toEqual(['a.ts:2 4', 'a.ts:7 4']);
  });

  test.each([
    ['parts that a colon or a semicolon ends', 'one two three: four five six; seven eight nine'],
    ['code, titles and targets of links', '`one two three four` “one two three four” [one](two three four)'],
    ['a list of code alone', '| `one`, `two`, `three`, `four`, `five` |'],
    ['blocks of code', '```sh\n\none two three four five\n\n```'],
    ['front matter', '---\ntitle: one two three four five\n---'],
  ])('is none because of %s', (_what, text) => {
    expect(wordsOf(...text.split('\n'))).toEqual([]);
  });
});

describe('an exported name', () => {
  test('that two files declare is reported with both; overloads, tests and re-exports are not', () => {
    const sources = [
      source(
        'a.ts',
        'export const launch = 1;\nexport interface Launch {}\nexport function f(): void;\nexport function f(a?: 1): void {}\n',
      ),
      source('b.ts', "export type Launch = 1;\nexport { launch } from './a.ts';\n"),
      source('c.test.ts', 'export class Launch {}\n'),
    ];
    expect([...namesDeclaredTwice(sources)]).toEqual([['Launch', ['a.ts', 'b.ts']]]);
  });
});

describe('a run of code lines', () => {
  const six = ['const a = 1;', 'const b = 2;', 'const c = 3;', 'const d = 4;', 'const e = 5;', 'const f = 6;'];

  test('that stands in two places is one pair, whatever its length, indentation and comments', () => {
    const indented = six.map((line) => `  ${line}`).join('\n\n  // why\n');
    const longer = ['const z = 0;', ...six, 'const g = 7;'].join('\n');
    expect(duplicatePairs([source('a.ts', `{\n${indented}\n  const g = 7;\n}\n`), source('b.ts', longer)])).toEqual(['a.ts:2 ~ b.ts:2']);
  });

  test('of five lines, or of imports and brackets, is none', () => {
    const imports = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `import './${name}.ts';`).join('\n');
    const text = `${imports}\n${six.slice(1).join('\n')}\n{\n}\n`;
    expect(duplicatePairs([source('a.ts', text), source('b.ts', text)])).toEqual([]);
  });
});

test('a builder that a second test file of its package defines counts; one of another package or of sources does not', () => {
  const sources = [
    source('packages/a/src/x.test.ts', 'const aPod = () => 1;\nconst aSize = 1;\nconst about = () => 1;\n'),
    source('packages/a/src/y.test.ts', 'export const aPod = () => 2;\nconst aSize = 2;\nconst about = () => 2;\n'),
    source('packages/a/src/z.ts', 'const aNode = () => 1;\n'),
    source('packages/a/src/z.test.ts', 'const aNode = () => 1;\n'),
    source('packages/b/src/x.test.ts', 'const aPod = () => 1;\n'),
  ];
  expect([...buildersAgain(sources)]).toEqual([['packages/a aPod', ['packages/a/src/x.test.ts', 'packages/a/src/y.test.ts']]]);
});

test('a function that tests of three files of a package define counts; one of two files and of two packages does not', () => {
  const files = ['x', 'y', 'z'].map((name) => `packages/a/src/${name}.test.ts`);
  const sources = files.map((path, index) => source(path, `const range = () => 1;\n${index < 2 ? 'const podOf = () => 1;' : ''}`));
  const elsewhere = source('packages/b/src/x.test.ts', 'const podOf = () => 1;\n');
  expect([...helpersAgain([...sources, elsewhere])]).toEqual([['packages/a range', files]]);
});

describe('a look-up that is returned', () => {
  const memos = (text: string): readonly string[] => memosByHand(source('a.ts', text));

  test('before a value is set counts as a memo by hand', () => {
    const text =
      'const f = (key) => {\n  const known = map.get(key);\n  if (known !== undefined) return known.text;\n  map.set(key, 1);\n};';
    expect(memos(text)).toEqual(['a.ts:3']);
  });

  test('that is set again whether it was found or made counts too', () => {
    expect(memos('const f = (key) => {\n  const known = this.#map.get(key.id) ?? new Set();\n  this.#map.set(key.id, known);\n};')).toEqual(
      ['a.ts:3'],
    );
  });

  test.each([
    'const f = (key) => { const known = map.get(key) ?? 0; map.set(key, known + 1); };',
    'const f = (key) => { const known = map.get(key) ?? 0; other.set(key, known); };',
    'const f = (key) => { const known = map.get(key); if (known !== undefined) return known; return 1; };',
    'const f = (key) => { const known = find(key); if (known !== undefined) return known; map.set(key, 1); };',
    'const f = (key) => getOrMake(map, key, make);',
  ])('without a memo does not: %s', (text) => {
    expect(memos(text)).toEqual([]);
  });
});

test('an import counts that stands below one of a later kind; what names nothing stands anywhere', () => {
  const text = ["import './first.ts';", "import a from 'a';", "import b from 'node:b';", "import c from './c.ts';", "import d from 'd';"];
  expect(importsOutOfOrder(source('a.ts', text.join('\n')))).toEqual(['a.ts:3', 'a.ts:5']);
});

test('a generator of steps without -ing in its name counts; another generator and a named one do not', () => {
  const text =
    'function* plan(): Steps<1> {}\nclass A { *#planning(): Steps<1> {} *all(): Iterable<1> {} }\nfunction* planningNodes(): Steps<1> {}';
  expect(misnamedSteps(source('a.ts', text))).toEqual(['a.ts plan']);
});

describe('a cell of a list', () => {
  const isSilent = (text: string): boolean => silentCellsIn(source('a.ts', text)) === 1;

  test.each([
    'a[i] ?? 0',
    'a[i]?.[j] ?? 1',
    'a[i]?.podCount ?? 0',
    '(a.at(-1) ?? 0) > 0',
    'a.at(i)?.b.c ?? -1',
    'a[i]?.price ?? Number.POSITIVE_INFINITY',
    'a[i] ?? 0n',
    "keys[key] ?? ''",
  ])('with a number or a text for its default counts as silent: %s', (text) => {
    expect(isSilent(text)).toBe(true);
  });

  test.each(['map.get(k) ?? 0', 'amountIn(a, name)', 'b.c ?? 0', "match[1] ?? ''", 'a[i] ?? b', "record['name'] ?? 0"])(
    'that may be missing, a look-up in a map and a named helper do not: %s',
    (text) => {
      expect(isSilent(text)).toBe(false);
    },
  );
});
