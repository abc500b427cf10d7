import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { repository } from '../../repository.ts';
import { resultsOn, resultTables, shortTable, withResults } from './result-pages.ts';

const spread = (median: number, least = median, most = median) => ({ median, least, most });
const tables = resultTables([
  {
    ...{ scenario: 'ramp', date: '2026-11-26T10:00:00Z', commit: '0a1b2c3d', runs: 3 },
    comparisons: [
      { scenario: 'ramp', figure: 'evictions', ours: spread(621, 137, 621), original: spread(63), ratio: 9.857, bar: 1.1, isMissed: true },
      { scenario: 'ramp', figure: 'processor seconds', ours: spread(14.8), original: spread(19.9), ratio: 0.744, bar: 1, isMissed: false },
      { scenario: 'ramp', figure: 'steps that did not come true', ours: spread(0), original: spread(0) },
    ],
  },
]);

describe('results', () => {
  test('become tables of the page', () =>
    expect(tables).toBe(`\`ramp\`, 2026-11-26, commit 0a1b2c3d, median of 3 runs each, and their range:

| Figure | Ours | Original | Ratio | Bar |
|---|---|---|---|---|
| evictions | 621 (137-621) | 63 | 9.86 | 1.1: **missed** |
| processor seconds | 14.8 | 19.9 | 0.74 | 1 |`));

  test('in short › what is better is in bold on its side', () =>
    expect(shortTable(tables).split('\n').at(-1)).toBe(
      '| `ramp` | 621 (137-621) evictions, **14.8 processor seconds** | **63 evictions**, 19.9 processor seconds |',
    ));

  test('take the place of older ones on a page', () => {
    const page = withResults('a\n<!-- begin of the results -->\n\nold\n\n<!-- end of the results -->\nb\n', 'new');
    expect(page).toBe('a\n<!-- begin of the results -->\n\nnew\n\n<!-- end of the results -->\nb\n');
    expect(resultsOn(page)).toBe('new');
  });

  test('on a page without a place for them › refused', () => expect(() => withResults('text', 'new')).toThrow('no place'));
});

test('the README says of each scenario what the page says', () => {
  const [page, readme] = ['docs/against-the-original.md', 'README.md'].map((path) => resultsOn(readFileSync(repository(path), 'utf8')));
  expect(readme).toBe(shortTable(page ?? ''));
  expect(readme?.split('\n').length).toBeGreaterThan(3);
});
