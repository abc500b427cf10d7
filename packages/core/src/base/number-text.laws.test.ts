import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { COUNTS, INT32, decimalIn, wholeNumberIn } from './typed-text.ts';

const digits = fc.stringMatching(/^\d{1,420}$/);
const written = fc.oneof(
  digits,
  fc.tuple(fc.constantFrom('', '+', '-'), digits, fc.constantFrom('', '.', '.5', 'e309', 'E-400', '%')).map((parts) => parts.join('')),
  fc.constantFrom('', ' ', 'NaN', 'Infinity', '0x10', '1_000', '٣', '.', 'e5', '-', '5 ', '1e', '0b1'),
  fc.string({ maxLength: 12 }),
);
const range = fc
  .tuple(fc.double({ noNaN: true }), fc.double({ noNaN: true }))
  .map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) }));

describe('a number from outside', () => {
  test('is within its range, or undefined', () => {
    fc.assert(
      fc.property(written, range, (text, bounds) => {
        for (const value of [wholeNumberIn(text, bounds), decimalIn(text, bounds)])
          if (value !== undefined) expect(value >= bounds.min && value <= bounds.max && !Object.is(value, -0)).toBe(true);
      }),
    );
  });

  test('is finite and whole where a count is read', () => {
    fc.assert(
      fc.property(written, (text) => {
        const value = wholeNumberIn(text, COUNTS);
        expect(value === undefined || Number.isSafeInteger(value)).toBe(true);
      }),
    );
  });

  test('that JavaScript prints reads back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) =>
        expect(decimalIn(String(value), { min: -Number.MAX_VALUE, max: Number.MAX_VALUE })).toBe(value + 0),
      ),
    );
    fc.assert(fc.property(fc.maxSafeNat(), (value) => expect(wholeNumberIn(String(value), COUNTS)).toBe(value)));
  });

  test.each(['1'.repeat(1_000_000), `${'1'.repeat(1_000_000)}x`, '1.'.repeat(500_000)])(
    'is refused without a check when it is endless',
    (text) => {
      expect([wholeNumberIn(text, COUNTS), decimalIn(text, COUNTS)]).toEqual([undefined, undefined]);
    },
  );

  test('beyond int32 is undefined where Kubernetes reads an int32', () => {
    expect(wholeNumberIn('2147483647', INT32)).toBe(2_147_483_647);
    expect(wholeNumberIn('2147483648', INT32)).toBeUndefined();
  });
});
