import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog, labels } from '../apis/index.ts';
import { labelRequirements, requirementsOf } from '../requirements/index.ts';
import type { Requirements } from '../requirements/index.ts';
import { aPricedOffering } from '../testing/objects.ts';
import { cheapestOffering, compatibleOfferings, orderByPrice, worstLaunchPrice } from './pool-match.ts';
import type { InstanceType, Offering } from './instance-type.ts';

const soldOut = (sold: Offering): Offering => ({ ...sold, isAvailable: false });
const soldType = (name: string, ...offerings: readonly Offering[]): InstanceType => ({
  name,
  offerings,
  capacity: {},
  overhead: {},
  requirements: labelRequirements({ [labels.instanceType]: name }),
});
const matchFor = (requirements: Requirements = new Map()) => ({ requirements, labelCatalog: defaultLabelCatalog });
const onlySpot = matchFor(labelRequirements({ [labels.capacityType]: 'spot' }));

describe('offerings of a type', () => {
  test('are cheapest first, ties by zone, and without those that are not available', () => {
    const small = soldType(
      'small',
      aPricedOffering('b', 'spot', 1),
      aPricedOffering('a', 'spot', 1),
      soldOut(aPricedOffering('c', 'spot', 0.5)),
      aPricedOffering('a', 'on-demand', 3),
    );
    expect(compatibleOfferings(small, matchFor()).map(({ zone, capacityType }) => `${zone} ${capacityType}`)).toEqual([
      'a spot',
      'b spot',
      'a on-demand',
    ]);
    expect(cheapestOffering(small, matchFor(labelRequirements({ [labels.zone]: 'c' })))).toBeUndefined();
  });

  test('of one price are those in a zone before those in none', () => {
    const normalizedValues = new Map([[labels.zone, new Map([['', '0']])]]);
    const wanted = { ...matchFor(), labelCatalog: { ...defaultLabelCatalog, normalizedValues } };
    const small = soldType(
      'small',
      aPricedOffering('0', 'spot', 1),
      aPricedOffering('a', 'spot', 1),
      aPricedOffering('0', 'spot', 0.5),
      aPricedOffering('b', 'spot', 0.5),
    );
    expect(compatibleOfferings(small, wanted).map(({ zone }) => zone)).toEqual(['b', '0', 'a', '0']);
    expect(compatibleOfferings(small, matchFor()).map(({ zone }) => zone)).toEqual(['0', 'b', '0', 'a']);
  });

  test('do not meet a custom label that no node would have', () => {
    const own = { ...aPricedOffering('a', 'spot', 1), requirements: labelRequirements({ 'example.com/slot': '1' }) };
    expect(cheapestOffering(soldType('odd', own), matchFor())).toBeUndefined();
    expect(cheapestOffering(soldType('odd', own), matchFor(labelRequirements({ 'example.com/slot': '1' })))).toBe(own);
  });
});

describe('orderByPrice', () => {
  test('orders by the cheapest offering that is wanted, then by name, and drops what cannot be bought', () => {
    const types = [
      soldType('c', aPricedOffering('a', 'spot', 2)),
      soldType('b', aPricedOffering('a', 'on-demand', 1), aPricedOffering('a', 'spot', 2)),
      soldType('a', aPricedOffering('a', 'spot', 2)),
      soldType('d', aPricedOffering('a', 'on-demand', 0.1)),
    ];
    expect(orderByPrice(types, onlySpot).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(orderByPrice(types, matchFor()).map(({ name }) => name)).toEqual(['d', 'b', 'a', 'c']);
  });
});

describe('worstLaunchPrice', () => {
  test('is the dearest offering of the capacity type that is launched first', () => {
    const both = soldType('both', aPricedOffering('a', 'spot', 1), aPricedOffering('b', 'spot', 4), aPricedOffering('a', 'on-demand', 9));
    expect(worstLaunchPrice(both, matchFor())).toBe(4);
    const notSpot = requirementsOf([{ key: labels.capacityType, operator: 'NotIn', values: ['spot'] }]);
    expect(worstLaunchPrice(both, matchFor(notSpot))).toBe(9);
    expect(worstLaunchPrice(soldType('none', soldOut(aPricedOffering('a', 'spot', 1))), matchFor())).toBe(Number.POSITIVE_INFINITY);
  });
});
