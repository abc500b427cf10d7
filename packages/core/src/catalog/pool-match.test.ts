import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog, labels } from '../apis/index.ts';
import { labelRequirements, requirementsOf } from '../requirements/index.ts';
import type { Requirements } from '../requirements/index.ts';
import { aPricedOffering } from '../testing/objects.ts';
import { cheapestOffering, compatibleOfferings, orderByPrice, worstLaunchPrice } from './pool-match.ts';
import type { InstanceType, Offering } from './instance-type.ts';

const soldOut = (sold: Offering): Offering => ({ ...sold, isAvailable: false });
const type = (name: string, ...offerings: readonly Offering[]): InstanceType => ({
  name,
  offerings,
  capacity: {},
  overhead: {},
  requirements: labelRequirements({ [labels.instanceType]: name }),
});
const wanting = (requirements: Requirements = new Map()) => ({ requirements, labelCatalog: defaultLabelCatalog });
const onlySpot = wanting(labelRequirements({ [labels.capacityType]: 'spot' }));

describe('offerings of a type', () => {
  test('are cheapest first, ties by zone, and without those that are not available', () => {
    const small = type(
      'small',
      aPricedOffering('b', 'spot', 1),
      aPricedOffering('a', 'spot', 1),
      soldOut(aPricedOffering('c', 'spot', 0.5)),
      aPricedOffering('a', 'on-demand', 3),
    );
    expect(compatibleOfferings(small, wanting()).map(({ zone, capacityType }) => `${zone} ${capacityType}`)).toEqual([
      'a spot',
      'b spot',
      'a on-demand',
    ]);
    expect(cheapestOffering(small, wanting(labelRequirements({ [labels.zone]: 'c' })))).toBeUndefined();
  });

  test('of one price are those in a zone before those in none', () => {
    const normalizedValues = new Map([[labels.zone, new Map([['', '0']])]]);
    const wanted = { ...wanting(), labelCatalog: { ...defaultLabelCatalog, normalizedValues } };
    const small = type(
      'small',
      aPricedOffering('0', 'spot', 1),
      aPricedOffering('a', 'spot', 1),
      aPricedOffering('0', 'spot', 0.5),
      aPricedOffering('b', 'spot', 0.5),
    );
    expect(compatibleOfferings(small, wanted).map(({ zone }) => zone)).toEqual(['b', '0', 'a', '0']);
    expect(compatibleOfferings(small, wanting()).map(({ zone }) => zone)).toEqual(['0', 'b', '0', 'a']);
  });

  test('do not meet a custom label that no node would have', () => {
    const own = { ...aPricedOffering('a', 'spot', 1), requirements: labelRequirements({ 'example.com/slot': '1' }) };
    expect(cheapestOffering(type('odd', own), wanting())).toBeUndefined();
    expect(cheapestOffering(type('odd', own), wanting(labelRequirements({ 'example.com/slot': '1' })))).toBe(own);
  });
});

describe('orderByPrice', () => {
  test('orders by the cheapest offering that is wanted, then by name, and drops what cannot be bought', () => {
    const types = [
      type('c', aPricedOffering('a', 'spot', 2)),
      type('b', aPricedOffering('a', 'on-demand', 1), aPricedOffering('a', 'spot', 2)),
      type('a', aPricedOffering('a', 'spot', 2)),
      type('d', aPricedOffering('a', 'on-demand', 0.1)),
    ];
    expect(orderByPrice(types, onlySpot).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(orderByPrice(types, wanting()).map(({ name }) => name)).toEqual(['d', 'b', 'a', 'c']);
  });
});

describe('worstLaunchPrice', () => {
  test('is the dearest offering of the capacity type that is launched first', () => {
    const both = type('both', aPricedOffering('a', 'spot', 1), aPricedOffering('b', 'spot', 4), aPricedOffering('a', 'on-demand', 9));
    expect(worstLaunchPrice(both, wanting())).toBe(4);
    const notSpot = requirementsOf([{ key: labels.capacityType, operator: 'NotIn', values: ['spot'] }]);
    expect(worstLaunchPrice(both, wanting(notSpot))).toBe(9);
    expect(worstLaunchPrice(type('none', soldOut(aPricedOffering('a', 'spot', 1))), wanting())).toBe(Number.POSITIVE_INFINITY);
  });
});
