import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fluidMix } from './fluid-mix.ts';
import { worthOf } from './unit-prices.ts';
import type { MachineOption } from './unit-prices.ts';

const options: fc.Arbitrary<readonly MachineOption[]> = fc
  .array(
    fc.record({ cpu: fc.integer({ min: 1, max: 64 }), gib: fc.integer({ min: 1, max: 256 }), price: fc.integer({ min: 1, max: 50 }) }),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((machines) =>
    machines.map(({ cpu, gib, price }, type) => ({
      type,
      pricePerHour: price,
      machinePricePerHour: price,
      amounts: Float64Array.of(cpu, gib, 1),
    })),
  );
const totals = fc
  .tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 0, max: 90 }))
  .map((amounts) => Float64Array.from(amounts));
const costsOf = (machines: readonly MachineOption[]): Float64Array => Float64Array.from(machines, ({ pricePerHour }) => pricePerHour);

test('a fluid mix has enough of everything, and costs what the load is worth at its unit prices: so no mix is cheaper', () => {
  fc.assert(
    fc.property(options, totals, (machines, load) => {
      const { amounts, unitPrices, cost } = fluidMix(load, machines, costsOf(machines)) ?? { amounts: [], unitPrices: load, cost: 0 };
      for (const [resource, wanted] of load.entries()) {
        const bought = machines.reduce((sum, option, index) => sum + (amounts[index] ?? 0) * (option.amounts[resource] ?? 0), 0);
        expect(bought).toBeGreaterThanOrEqual(wanted * (1 - 1e-6));
      }
      for (const option of machines) expect(worthOf(option, unitPrices)).toBeLessThanOrEqual(option.pricePerHour * (1 + 1e-6));
      expect(machines.reduce((sum, { pricePerHour }, index) => sum + pricePerHour * (amounts[index] ?? 0), 0)).toBeCloseTo(cost, 5);
      expect(load.reduce((sum, wanted, resource) => sum + wanted * (unitPrices[resource] ?? 0), 0)).toBeCloseTo(cost, 5);
    }),
  );
});

test('where no machine has some resource there is no mix', () => {
  const machines = [{ type: 0, pricePerHour: 1, machinePricePerHour: 1, amounts: Float64Array.of(4, 0) }];
  expect(fluidMix(Float64Array.of(8, 1), machines, costsOf(machines))).toBeUndefined();
});

test('nothing wanted costs nothing', () => {
  const machines = [{ type: 0, pricePerHour: 1, machinePricePerHour: 1, amounts: Float64Array.of(4) }];
  expect(fluidMix(Float64Array.of(0), machines, costsOf(machines))).toEqual({
    amounts: Float64Array.of(0),
    unitPrices: Float64Array.of(0),
    cost: 0,
  });
});
