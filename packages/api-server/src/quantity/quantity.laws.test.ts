import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalQuantity, quantityValueOf } from './quantity.ts';

const written = fc
  .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'E6'))
  .map(([count, suffix]) => `${count}${suffix}`);

describe('quantities', () => {
  test('the canonical form means the same', () => {
    fc.assert(
      fc.property(written, (text) => {
        const quantity = quantityValueOf(text);
        expect(quantity).toBeDefined();
        if (quantity !== undefined) expect(quantityValueOf(canonicalQuantity(quantity))?.nanos).toBe(quantity.nanos);
      }),
    );
  });

  test('the canonical form is its own canonical form', () => {
    fc.assert(
      fc.property(written, (text) => {
        const once = quantityValueOf(text);
        const canonical = once === undefined ? '' : canonicalQuantity(once);
        const twice = quantityValueOf(canonical);
        expect(twice === undefined ? undefined : canonicalQuantity(twice)).toBe(canonical);
      }),
    );
  });

  test.each([
    ['1000m', '1'],
    ['1.5', '1500m'],
    ['0.5Gi', '512Mi'],
    ['1024Mi', '1Gi'],
    ['1000', '1k'],
    ['1e3', '1e3'],
    ['1023Ki', '1023Ki'],
    ['-5', '-5'],
    ['0', '0'],
  ])('%s is written %s', (text, wanted) => {
    const quantity = quantityValueOf(text);
    expect(quantity && canonicalQuantity(quantity)).toBe(wanted);
  });

  test.each(['', 'x', '1.2.3', '1 Gi', '5ki', 'Gi'])('%j is no quantity', (text) => {
    expect(quantityValueOf(text)).toBeUndefined();
  });
});
