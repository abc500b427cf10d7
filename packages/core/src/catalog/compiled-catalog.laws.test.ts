import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { labels } from '../apis/index.ts';
import { finish, hasBit } from '../base/index.ts';
import { implies, intersects, labelRequirements, requirementsOf } from '../requirements/index.ts';
import type { Requirement } from '../requirements/index.ts';
import { allocatableOf } from './instance-type.ts';
import { compilingCatalog, rankOf } from './compiled-catalog.ts';
import type { InstanceType } from './instance-type.ts';

const zones = ['z1', 'z2', 'z3'];
const types: fc.Arbitrary<readonly InstanceType[]> = fc
  .array(
    fc.record({
      cpu: fc.integer({ min: 0, max: 9 }),
      zone: fc.constantFrom(...zones),
      price: fc.integer({ min: 1, max: 5 }),
      isAvailable: fc.boolean(),
    }),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .map((drawn) =>
    drawn.map(({ cpu, zone, price, isAvailable }, index) => ({
      name: `type-${index}`,
      capacity: { cpu: cpu * 1000 },
      overhead: { cpu: 100 },
      requirements: labelRequirements({ [labels.zone]: zone }),
      offerings: [
        {
          zone,
          capacityType: 'spot',
          pricePerHour: price,
          isAvailable,
          requirements: labelRequirements({ [labels.zone]: zone, [labels.capacityType]: 'spot' }),
        },
      ],
    })),
  );
const zoneRequirement: fc.Arbitrary<Requirement> = fc
  .record({
    operator: fc.constantFrom('In' as const, 'NotIn' as const),
    values: fc.uniqueArray(fc.constantFrom(...zones), { minLength: 1 }),
  })
  .map((spec) => requirementsOf([{ key: labels.zone, ...spec }]).get(labels.zone))
  .filter((requirement) => requirement !== undefined);

test('a column says of each type and offering what the algebra says', () => {
  fc.assert(
    fc.property(types, zoneRequirement, (list, requirement) => {
      const catalog = finish(compilingCatalog(list));
      const meets = ({ requirements }: { readonly requirements: InstanceType['requirements'] }): boolean => {
        const own = requirements.get(requirement.key);
        return own === undefined || intersects(own, requirement);
      };
      const always = ({ requirements }: { readonly requirements: InstanceType['requirements'] }): boolean => {
        const own = requirements.get(requirement.key);
        return own !== undefined && implies(own, requirement);
      };
      catalog.types.forEach((type, index) => {
        expect(hasBit(catalog.typesMeeting(requirement), index)).toBe(meets(type));
        expect(hasBit(catalog.typesImplying(requirement), index)).toBe(always(type));
      });
      catalog.offerings.forEach((offering, index) => {
        expect(hasBit(catalog.offeringsMeeting(requirement), index)).toBe(meets(offering));
        expect(hasBit(catalog.offeringsImplying(requirement), index)).toBe(always(offering));
      });
    }),
  );
});

test('"types with at least x" are exactly those, for every x', () => {
  fc.assert(
    fc.property(types, fc.integer({ min: -200, max: 9500 }), (list, wanted) => {
      const catalog = finish(compilingCatalog(list));
      const ranks = catalog.ranksOf('cpu');
      const atLeast = ranks.atLeast[rankOf(ranks, wanted)];
      catalog.types.forEach((type, index) => {
        expect(atLeast !== undefined && hasBit(atLeast, index)).toBe((allocatableOf(type)['cpu'] ?? 0) >= wanted);
      });
    }),
  );
});

test('offerings are numbered by price, whatever the order of the list, and remembered by its identity', () => {
  fc.assert(
    fc.property(types, (list) => {
      const catalog = finish(compilingCatalog(list));
      const prices = catalog.offerings.map(({ pricePerHour }) => pricePerHour);
      expect(prices).toEqual(prices.toSorted((a, b) => a - b));
      expect(finish(compilingCatalog(list.toReversed())).offerings).toEqual(catalog.offerings);
      expect(finish(compilingCatalog(list))).toBe(catalog);
    }),
  );
});
