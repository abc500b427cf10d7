import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { unitPrices, worthOf } from './unit-prices.ts';

const machineOptions = fc
  .array(
    fc.record({ cpu: fc.integer({ min: 1, max: 64 }), memory: fc.integer({ min: 1, max: 256 }), price: fc.integer({ min: 1, max: 50 }) }),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((types) =>
    types.map(({ cpu, memory, price }, type) => ({
      type,
      pricePerHour: price,
      machinePricePerHour: price,
      amounts: Float64Array.of(cpu, memory, 1),
    })),
  );
const demands = fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 4000 })).map((amounts) => Float64Array.from(amounts));

test('no option is worth more than it costs, and one is worth just that: the prices bound every plan from below', () => {
  fc.assert(
    fc.property(machineOptions, demands, (options, totals) => {
      const prices = unitPrices(totals, options);
      const ratios = options.map((option) => worthOf(option, prices) / option.pricePerHour);
      expect(Math.max(...ratios)).toBeCloseTo(1, 6);
    }),
  );
});

test('a resource that no pod wants is worth nothing', () => {
  fc.assert(
    fc.property(machineOptions, fc.integer({ min: 1, max: 1000 }), (options, cpu) => {
      expect(unitPrices(Float64Array.of(cpu, 0), options)[1]).toBe(0);
    }),
  );
});

test('of two types that sell the same for two prices only the cheaper one sets the price', () => {
  const amounts = Float64Array.of(4, 1);
  const options = [
    { type: 0, pricePerHour: 8, machinePricePerHour: 8, amounts },
    { type: 1, pricePerHour: 2, machinePricePerHour: 2, amounts },
  ];
  expect(unitPrices(Float64Array.of(100), options)[0]).toBeCloseTo(0.5, 9);
});
