import { describe, expect, test } from '@jest/globals';
import { formatQuantity, millisOf, parseQuantity, unitsOf } from './quantity.ts';

const parsed = (text: string) => parseQuantity(text) ?? { nanos: -1n, format: 'decimal' as const };

describe('a quantity is read exactly', () => {
  test.each([
    ['1', 1000, 1],
    ['100m', 100, 1],
    ['1500m', 1500, 2],
    ['0.1', 100, 1],
    ['.5', 500, 1],
    ['5.', 5000, 5],
    ['1n', 1, 1],
    ['0.0001', 1, 1],
    ['2k', 2_000_000, 2000],
    ['2Ki', 2_048_000, 2048],
    ['1e3', 1_000_000, 1000],
    ['1E-3', 1, 1],
    ['1E', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['-1500m', -1500, -2],
    ['0', 0, 0],
  ])('%s is %d thousandths, %d whole', (text, millis, units) => {
    expect([millisOf(parsed(text)), unitsOf(parsed(text))]).toEqual([millis, units]);
  });

  test.each([
    ['1.5Gi', 1_610_612_736],
    ['16Gi', 17_179_869_184],
    ['7820Mi', 8_199_864_320],
    ['0.3Ki', 308],
    ['129M', 129_000_000],
  ])('%s is %d bytes', (text, bytes) => expect(unitsOf(parsed(text))).toBe(bytes));

  test('larger than an int64 saturates, however large', () => {
    expect(unitsOf(parsed('1e999999'))).toBe(Number.MAX_SAFE_INTEGER);
    expect(parsed('100E').nanos).toBe((2n ** 63n - 1n) * 1_000_000_000n);
  });

  test.each(['', 'm', '1 Gi', '1gi', '1K', '1e', '0x10', '1,5', 'NaN', '1.2.3', '--1', '1Gib'])('"%s" is no quantity', (text) =>
    expect(parseQuantity(text)).toBeUndefined(),
  );
});

describe('a quantity is written as kubectl shows it', () => {
  test.each([
    ['1.5', '1500m'],
    ['1000m', '1'],
    ['1536Mi', '1536Mi'],
    ['2048Mi', '2Gi'],
    ['1024', '1024'],
    ['1000', '1k'],
    ['0.5Ki', '512'],
    ['0.1Gi', '107374182400m'],
    ['0Gi', '0'],
    ['-2Gi', '-2Gi'],
  ])('%s becomes %s', (text, canonical) => expect(formatQuantity(parsed(text))).toBe(canonical));
});
