import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { patternMatches } from './pattern-search.ts';

const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', String.raw`\d`, '^', '$', String.raw`\b`, ''),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(${one}|${other})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?'))
      .map(([one, times]) => `(?:${one})${times}`),
  ),
}));

test('a pattern matches a short text where a regular expression does that backtracks', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '\n'), maxLength: 6 });
  fc.assert(
    fc.property(pattern, text, (written, searched) => {
      const expected = new RegExp(written.replaceAll('.', String.raw`[^\n]`), 'u').test(searched);
      expect(patternMatches(searched, written, { most: 1, pay: () => undefined }).length > 0).toBe(expected);
    }),
    { numRuns: 500 },
  );
});
