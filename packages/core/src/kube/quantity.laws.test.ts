import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatQuantity, parseQuantity } from './quantity.ts';
import { quantitiesOf, resourcesOf } from './resources.ts';

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

const anyQuantity = fc
  .tuple(
    fc.constantFrom('', '+', '-'),
    fc.oneof(fc.stringMatching(/^\d{1,40}$/), fc.stringMatching(/^\d{0,5}\.\d{1,40}$/)),
    fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'E', 'Ki', 'Ei', 'e309', 'E-309', 'e9', 'e-9', 'e99999999999999999999'),
  )
  .map((parts) => parts.join(''));

test('every amount is a finite safe integer in both units, however large or small it is written', () => {
  fc.assert(
    fc.property(anyQuantity, (text) => {
      const { cpu, memory } = resourcesOf({ cpu: text, memory: text });
      expect([Number.isSafeInteger(cpu), Number.isSafeInteger(memory)]).toEqual([true, true]);
    }),
  );
});

test('a quantity of a megabyte of digits is read at once, and saturates', () => {
  expect(resourcesOf({ memory: '9'.repeat(1_000_000) })).toEqual({ memory: Number.MAX_SAFE_INTEGER });
  expect(resourcesOf({ memory: `0.${'0'.repeat(1_000_000)}1` })).toEqual({ memory: 1 });
});

test('a resource called like what every object has is left out', () => {
  const listed = JSON.parse('{"constructor":"1","__proto__":"2","memory":"3"}') as Readonly<Record<string, string>>;
  expect(resourcesOf(listed)).toEqual({ memory: 3 });
});
