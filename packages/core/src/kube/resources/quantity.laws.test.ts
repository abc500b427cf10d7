import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatQuantity, parseQuantity } from './quantity.ts';
import { quantitiesOf, resourcesOf } from './resource-list.ts';

const nanos = fc.bigInt({ min: -(2n ** 62n) * 1_000_000_000n, max: 2n ** 62n * 1_000_000_000n });

test('what is written reads back as the same amount', () => {
  fc.assert(
    fc.property(nanos, fc.constantFrom('binary' as const, 'decimal' as const), (amount, format) =>
      expect(parseQuantity(formatQuantity({ nanos: amount, format }))?.nanos).toBe(amount),
    ),
  );
});

test('resources survive the way through a resource list', () => {
  const amount = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(fc.record({ cpu: amount, memory: amount, pods: amount, 'example.com/gpu': amount }), (resources) =>
      expect(resourcesOf(quantitiesOf(resources))).toEqual(resources),
    ),
  );
});
