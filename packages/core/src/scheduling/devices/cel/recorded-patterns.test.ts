import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { CelError } from './cel-value.ts';
import { TextPatterns } from './text-patterns.ts';

/** What Go's `regexp` finds, which evaluates the patterns of Kubernetes' selectors: `FindAllString` of Go 1.26. */
interface RecordedPatterns {
  readonly found: readonly (readonly [pattern: string, text: string, found: readonly string[]])[];
  /** Those that Go refuses as well. */
  readonly refused: readonly string[];
  /** Those that Go reads, and we do not. */
  readonly unknown: readonly string[];
}

const recorded = JSON.parse(readFileSync(new URL('recorded-patterns.json', import.meta.url), 'utf8')) as RecordedPatterns;

const foundIn = (text: string, pattern: string, steps: number[] = []): readonly string[] =>
  new TextPatterns().matches(text, pattern, { most: Number.POSITIVE_INFINITY, pay: (each) => steps.push(each) });

describe('a pattern in a selector', () => {
  test('finds in a text what Go finds', () => {
    const found = recorded.found.map(([pattern, text]) => [pattern, text, foundIn(text, pattern)] as const);
    expect(found).toEqual(recorded.found);
    expect(found.length).toBeGreaterThan(400);
  });

  test.each([...recorded.refused, ...recorded.unknown])('%j is refused', (pattern) => {
    expect(() => foundIn('ab', pattern)).toThrow(CelError);
  });

  const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

  test('compiled once › it costs its search alone afterwards', () => {
    const patterns = new TextPatterns();
    const cost = (): number => {
      const steps: number[] = [];
      patterns.matches('A100', '^A[0-9]+$', { most: 1, pay: (each) => steps.push(each) });
      return sumOf(steps);
    };
    const [first, second] = [cost(), cost()];
    expect(second).toBeLessThan(20);
    expect(first).toBeGreaterThan(second + 200);
  });

  // The time to compile it grows with its repetitions, and with the characters that a class stands for.
  test.each([
    ['many repetitions', '.{1000}.{1000}', 40_000],
    ['classes of letters', String.raw`\pL`.repeat(80), 40_000],
    ['classes of letters that ignore case', `(?i)${String.raw`\pL`.repeat(70)}`, 800_000],
  ])('with %s › it is paid before it is compiled', (_, pattern, least) => {
    const steps: number[] = [];
    foundIn('', pattern, steps);
    expect(steps[0]).toBeGreaterThan(least);
  });

  test('with many matches › each is paid', () => {
    const steps: number[] = [];
    expect(foundIn('a'.repeat(100), 'a*b|a', steps)).toHaveLength(100);
    expect(steps.length).toBeGreaterThan(100);
    expect(sumOf(steps)).toBeGreaterThan((100 * 100) / 4);
  });
});
